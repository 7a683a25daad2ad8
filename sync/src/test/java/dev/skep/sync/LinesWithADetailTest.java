package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.wire.DecodedMessage;
import dev.skep.wire.Message;
import dev.skep.wire.MessageCodec;
import dev.skep.wire.MessageRows;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs read of a log's line goes where the line goes, also past a hub of a year ago. */
class LinesWithADetailTest extends RunnerEndOfALink {
    private static final SyncTable NOW = AgentTables.CONTEXT_LOG;
    private static final String DETAIL = "{\"toolCallId\":\"t\"}";

    /** The table before it had the column. */
    private static final SyncTable BEFORE =
            SyncTable.hubOnly(
                            "context_log",
                            List.of("id"),
                            NOW.columns().stream()
                                    .filter(column -> !column.name().equals("detail"))
                                    .filter(column -> !isTime(column))
                                    .toArray(Column[]::new))
                    .writtenFor("user_id")
                    .once();

    LinesWithADetailTest(@TempDir Path folder) {
        super(folder);
    }

    private static boolean isTime(Column column) {
        return column.name().endsWith("_at");
    }

    @Test
    void a_heal_gives_a_lost_line_back_with_its_detail_and_changes_none() {
        allows = Consents.OF_OWN_HUB;
        put(NOW, withDetail("l1", DETAIL));

        heal(
                MessageRows.of(
                        List.of(
                                late(
                                        NOW,
                                        withDetail("l1", "{\"changed\":true}"),
                                        withDetail("l2", DETAIL),
                                        line("l3", ADA, "without")))));

        assertThat(column("context_log", "coalesce(detail, 'none')"))
                .containsExactly("none", DETAIL, DETAIL);
    }

    @Test
    void a_hub_that_does_not_know_the_column_keeps_it_and_gives_it_on() {
        MessageCodec young = knowing(NOW);
        MessageCodec old = knowing(BEFORE);

        SyncRow atTheHub = sent(young, old, NOW, withDetail("l1", DETAIL), null);
        assertThat(atTheHub.extra()).contains("detail").contains("toolCallId");

        SyncRow back = sent(old, young, BEFORE, atTheHub.values(), atTheHub.extra());
        assertThat(back.values()[NOW.indexOf("detail")]).isEqualTo(DETAIL);
        assertThat(back.extra()).isNull();
    }

    @Test
    void a_line_of_a_host_that_does_not_know_the_column_has_none() {
        SyncRow old = sent(knowing(BEFORE), knowing(NOW), BEFORE, line(BEFORE), null);
        assertThat(old.values()[NOW.indexOf("detail")]).isNull();
        assertThat(old.values()[NOW.indexOf("message")]).isEqualTo("old");
    }

    private static MessageCodec knowing(SyncTable log) {
        return new MessageCodec(
                name -> name.equals(log.name()) ? Optional.of(log) : Optional.empty());
    }

    private static SyncRow sent(
            MessageCodec from,
            MessageCodec to,
            SyncTable table,
            @Nullable Object[] values,
            @Nullable String extra) {
        MessageRows rows =
                MessageRows.of(
                        List.of(
                                new TableRows(
                                        table, List.of(new SyncRow(SELF, 0, 7, values, extra)))));
        var frame = from.encode(new Message.SyncResponse(1, SELF, rows, 7, 7, false, 0, false));
        if (!(to.decode(frame) instanceof DecodedMessage.Read(Message.SyncResponse read))) {
            throw new AssertionError("not read");
        }
        assertThat(read.rows().refused()).isEmpty();
        return read.rows().tables().getFirst().rows().getFirst();
    }

    private static @Nullable Object[] withDetail(String id, String detail) {
        @Nullable Object[] line = line(id, ADA, "message");
        line[NOW.indexOf("type")] = "tool_call";
        line[NOW.indexOf("detail")] = detail;
        return line;
    }

    private static @Nullable Object[] line(SyncTable table) {
        @Nullable Object[] young = line("l1", ADA, "old");
        return table.columns().stream()
                .map(column -> young[NOW.indexOf(column.name())])
                .toArray(Object[]::new);
    }
}
