package dev.skep.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.registry.table.RegistryTables;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.wire.DecodedMessage;
import dev.skep.wire.Frame;
import dev.skep.wire.Message;
import dev.skep.wire.MessageCodec;
import dev.skep.wire.MessageRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Generated from the descriptions of the synced tables: no text is longer than its column says. */
class SyncedTextsTest {
    private static final String HOST = "01JC0000000000000000000001";

    private static final List<SyncTable> ALL =
            Stream.of(List.of(HostTable.HOSTS), AgentTables.ALL, RegistryTables.ALL)
                    .flatMap(List::stream)
                    .toList();

    /** Where agents and people write what they like; everything else is short. */
    private static final Set<String> FREE =
            Set.of(
                    "users.config",
                    "agent_versions.content",
                    "mail_messages.body",
                    "mail_messages.subject",
                    "context_log.message",
                    "context_log.detail",
                    "run_session.ended_reason");

    @Test
    void texts_are_short_but_where_people_and_agents_write_freely() {
        Set<String> free = new TreeSet<>();
        each((table, column) -> column.longest() > Column.LINE, free);
        assertThat(free).isEqualTo(new TreeSet<>(FREE));
        assertThat(AgentTables.USERS.columns().get(1).longest()).isEqualTo(Column.NAME);
    }

    @Test
    void what_is_too_long_is_neither_written_here_nor_taken_from_elsewhere() {
        Set<String> wrong = new TreeSet<>();
        each((table, column) -> !isRefusedHere(table, column), wrong);
        assertThat(wrong).as("written here").isEmpty();
        each((table, column) -> !isSetAside(table, column), wrong);
        assertThat(wrong).as("taken from elsewhere").isEmpty();
    }

    @Test
    void a_name_of_900_000_characters_is_told_by_its_column() {
        @Nullable Object[] row = row(AgentTables.USERS);
        row[AgentTables.USERS.indexOf("username")] = "x".repeat(900_000);
        assertThatThrownBy(() -> OwnRowWriter.makeStorable(AgentTables.USERS, row))
                .hasMessage(
                        "users.username has 900,000 characters, at most 255 are allowed; shorten it");
    }

    private static boolean isRefusedHere(SyncTable table, Column column) {
        try {
            OwnRowWriter.makeStorable(table, tooLong(table, column));
            return false;
        } catch (SkepException refused) {
            return refused.code() == ErrorCode.ROW_TOO_LARGE;
        }
    }

    private static boolean isSetAside(SyncTable table, Column column) {
        SyncRow row = new SyncRow(HOST, 0, 7, tooLong(table, column), null);
        Function<String, Optional<SyncTable>> known =
                name -> ALL.stream().filter(each -> each.name().equals(name)).findFirst();
        MessageCodec codec = new MessageCodec(known);
        MessageRows sent = MessageRows.of(List.of(new TableRows(table, List.of(row))));
        Frame frame = codec.encode(new Message.SyncResponse(1, HOST, sent, 7, 7, false, 0, false));
        return codec.decode(frame) instanceof DecodedMessage.Read(Message.SyncResponse read)
                && read.rows().tables().isEmpty()
                && read.rows().refused().size() == 1;
    }

    private static @Nullable Object[] tooLong(SyncTable table, Column column) {
        @Nullable Object[] row = row(table);
        row[table.indexOf(column.name())] = "x".repeat(column.longest() + 1);
        return row;
    }

    private static @Nullable Object[] row(SyncTable table) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Column column : table.columns()) {
            values.add(column.type() == Column.Type.TEXT ? "x" : (Object) 1L);
        }
        return values.toArray();
    }

    private static void each(BiPredicate<SyncTable, Column> test, Set<String> found) {
        for (SyncTable table : ALL) {
            for (Column column : table.columns()) {
                if (column.type() == Column.Type.TEXT && test.test(table, column)) {
                    found.add(table.name() + "." + column.name());
                }
            }
        }
    }
}
