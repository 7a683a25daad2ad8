package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.wire.Message.CatchUp;
import dev.skep.wire.Message.CatchUpResponse;
import dev.skep.wire.Message.SyncRequest;
import dev.skep.wire.Message.SyncResponse;
import dev.skep.wire.MessageRows;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the two ends of a link say to each other when all is well, message by message. */
class ExchangingRowsTest {
    private static final int PAGE = 3;
    private static final SyncTable MAIL = AgentTables.MAIL_MESSAGES;

    private final WiredHubs wired;
    private final WiredHubs.Hub hub;
    private final WiredHubs.Runner a;
    private final WiredHubs.Runner b;

    ExchangingRowsTest(@TempDir Path folder) {
        wired = new WiredHubs(folder, PAGE);
        hub = wired.new Hub("hub");
        a = wired.new Runner("a");
        b = wired.new Runner("b");
    }

    @AfterEach
    void close() {
        wired.close();
    }

    @Test
    void a_row_of_every_table_reaches_the_hub_and_shared_ones_the_others() {
        WiredHubs.Wire toA = a.connect(hub);
        WiredHubs.Wire toB = b.connect(hub);
        for (SyncTable table : ProductTables.SCHEMA.tables().all()) {
            String id = a.write(table);
            toA.nudge();
            wired.settle();
            assertThat(hub.ids(table)).as(table.name()).containsExactly(id);
            assertThat(b.ids(table).contains(id)).as(table.name()).isEqualTo(table.isForwarded());
        }
        assertThat(rowsTo(toA)).as("nothing comes back to its owner").isEmpty();
        assertThat(toB.said(SyncResponse.class))
                .as("what came from others is not sent on")
                .allMatch(answer -> answer.rows().isEmpty());
    }

    @Test
    void what_others_wrote_rides_in_a_request_once_and_the_field_is_absent_otherwise() {
        WiredHubs.Wire toA = a.connect(hub);
        WiredHubs.Wire toB = b.connect(hub);
        wired.settle();
        String mail = a.write(MAIL);
        toA.nudge();
        wired.settle();
        toB.nudge();
        wired.settle();

        List<SyncRequest> requests = toB.said(SyncRequest.class);
        assertThat(requests.stream().filter(request -> request.forwards() != null))
                .singleElement()
                .satisfies(
                        request ->
                                assertThat(keys(Objects.requireNonNull(request.forwards()).rows()))
                                        .containsExactly(mail));
        assertThat(requests.getLast().forwards()).isNull();
    }

    @Test
    void a_host_that_catches_up_is_not_asked_for_rows_until_it_has() {
        WiredHubs.Wire toA = a.connect(hub);
        for (int i = 0; i < 3 * PAGE; i++) {
            a.write(MAIL);
        }
        toA.nudge();
        wired.settle();

        b.write(MAIL);
        WiredHubs.Wire toB = b.connect(hub);
        hub.sync.onTick();
        wired.settle();

        List<String> kinds = toB.toRunner.stream().map(m -> m.getClass().getSimpleName()).toList();
        assertThat(kinds.lastIndexOf("CatchUpResponse")).isLessThan(kinds.indexOf("SyncRequest"));
        List<CatchUpResponse> pages = toB.said(CatchUpResponse.class);
        assertThat(pages.stream().filter(page -> !page.rows().isEmpty()))
                .hasSizeGreaterThan(2)
                .allMatch(page -> page.rows().count() <= PAGE);
        assertThat(pages.getLast().hasMore()).isFalse();
        assertThat(b.ids(MAIL)).hasSize(3 * PAGE + 1);
        assertThat(hub.ids(MAIL)).hasSize(3 * PAGE + 1);
    }

    @Test
    void a_host_that_reconnects_sends_its_position_and_receives_what_it_missed() {
        WiredHubs.Wire toA = a.connect(hub);
        WiredHubs.Wire toB = b.connect(hub);
        a.write(MAIL);
        toA.nudge();
        wired.settle();
        toB.cut();
        String missed = a.write(MAIL);
        toA.nudge();
        wired.settle();
        assertThat(b.ids(MAIL)).doesNotContain(missed);

        WiredHubs.Wire again = b.connect(hub);
        wired.settle();

        assertThat(again.said(CatchUp.class).getFirst().lastSyncedFromHub()).isPositive();
        assertThat(again.said(CatchUpResponse.class).stream().flatMap(m -> keys(m.rows()).stream()))
                .containsExactly(missed);
    }

    @Test
    void old_rows_of_a_late_joiner_reach_those_who_had_everything() {
        String old = b.write(MAIL);
        WiredHubs.Wire toA = a.connect(hub);
        a.write(MAIL);
        wired.settle();
        toA.cut();

        b.connect(hub);
        wired.settle();
        assertThat(a.ids(MAIL)).doesNotContain(old);
        a.connect(hub);
        wired.settle();

        assertThat(a.ids(MAIL)).contains(old);
    }

    @Test
    void a_backlog_comes_in_pages_and_a_restarted_hub_asks_from_where_it_was() {
        for (int i = 0; i < 2 * PAGE + 1; i++) {
            a.write(AgentTables.CONTEXT_LOG);
        }
        WiredHubs.Wire first = a.connect(hub);
        wired.settle();
        List<SyncResponse> pages =
                first.said(SyncResponse.class).stream()
                        .filter(page -> !page.rows().isEmpty())
                        .toList();
        assertThat(pages).extracting(SyncResponse::hasMore).containsExactly(true, true, false);
        assertThat(pages).extracting(page -> page.rows().count()).containsExactly(3, 3, 1);
        first.cut();
        hub.stop();

        WiredHubs.Hub restarted = wired.new Hub("hub");
        WiredHubs.Wire again = a.connect(restarted);
        wired.settle();

        assertThat(again.said(SyncRequest.class).getFirst().since())
                .isEqualTo(pages.getLast().upto());
        assertThat(again.said(SyncResponse.class)).allMatch(page -> page.rows().isEmpty());
    }

    @Test
    void the_next_page_is_requested_before_one_is_stored_and_the_request_says_so() {
        for (int i = 0; i < 2 * PAGE + 1; i++) {
            a.write(AgentTables.CONTEXT_LOG);
        }
        WiredHubs.Wire toA = a.connect(hub);
        wired.settle();

        List<SyncRequest> requests = toA.said(SyncRequest.class);
        assertThat(requests).extracting(SyncRequest::ahead).startsWith(false, true, true);
        assertThat(hub.ids(AgentTables.CONTEXT_LOG)).hasSize(2 * PAGE + 1);
        a.write(AgentTables.CONTEXT_LOG);
        toA.nudge();
        wired.settle();
        assertThat(toA.said(SyncRequest.class).getLast().ahead()).as("all is stored").isFalse();
    }

    @Test
    void the_same_row_from_two_hubs_is_stored_once() {
        WiredHubs.Hub second = wired.new Hub("second");
        List<WiredHubs.Wire> links =
                List.of(a.connect(hub), a.connect(second), b.connect(hub), b.connect(second));
        String host = a.write(HostTable.HOSTS);
        links.forEach(WiredHubs.Wire::nudge);
        wired.settle();

        assertThat(hub.ids(HostTable.HOSTS)).containsExactly(host);
        assertThat(second.ids(HostTable.HOSTS)).containsExactly(host);
        assertThat(rowsTo(links.get(2))).containsExactly(host);
        assertThat(rowsTo(links.get(3))).containsExactly(host);
        assertThat(b.ids(HostTable.HOSTS)).containsExactly(host);
    }

    @Test
    void an_empty_hub_is_filled_by_the_hosts_that_connect() {
        for (int i = 0; i < 2 * PAGE; i++) {
            a.write(MAIL);
            b.write(AgentTables.COSTS);
        }
        WiredHubs.Wire toA = a.connect(hub);
        WiredHubs.Wire toB = b.connect(hub);
        wired.settle();
        toA.cut();
        toB.cut();

        WiredHubs.Hub fresh = wired.new Hub("fresh");
        a.connect(fresh);
        b.connect(fresh);
        wired.settle();

        assertThat(fresh.ids(MAIL)).isEqualTo(hub.ids(MAIL)).hasSize(2 * PAGE);
        assertThat(fresh.ids(AgentTables.COSTS)).hasSize(2 * PAGE);
    }

    /** The rows a runner got in forwards and catch-up pages. */
    private static List<String> rowsTo(WiredHubs.Wire wire) {
        return wire.toRunner.stream()
                .flatMap(
                        message ->
                                switch (message) {
                                    case CatchUpResponse m -> keys(m.rows()).stream();
                                    case SyncRequest m when m.forwards() != null ->
                                            keys(m.forwards().rows()).stream();
                                    default -> Stream.<String>of();
                                })
                .toList();
    }

    private static List<String> keys(MessageRows rows) {
        return rows.tables().stream().flatMap(part -> keys(part).stream()).toList();
    }

    private static List<String> keys(TableRows part) {
        int key = part.table().indexOf(part.table().key().getFirst());
        return part.rows().stream().map((SyncRow row) -> row.text(key)).toList();
    }
}
