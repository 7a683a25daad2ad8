package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChangeFeedTest extends EachDatabase {
    private static final FeedPage.Limits LARGE = new FeedPage.Limits(1_000, 1 << 20);
    private static final FeedScope OWN = new FeedScope.OwnedBy(StoreFixture.ORG, StoreFixture.SELF);

    @Test
    void all_tables_are_one_stream_in_stamp_order() {
        for (int i = 0; i < 12; i++) {
            fixture.putLog("log" + i, "m");
            fixture.putHost(StoreFixture.SELF, "name" + i);
        }

        List<String> seen = new ArrayList<>();
        List<Long> uptos = new ArrayList<>();
        long position = 0;
        FeedPage page;
        do {
            page = page(OWN, position, new FeedPage.Limits(5, 1 << 20));
            assertThat(page.rowCount()).isLessThanOrEqualTo(5);
            seen.addAll(keys(page));
            uptos.add(page.upto());
            position = page.upto();
        } while (page.hasMore());

        assertThat(seen).hasSize(13).doesNotHaveDuplicates();
        assertThat(seen.getLast()).isEqualTo("hosts/" + StoreFixture.SELF);
        assertThat(uptos).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_row_that_changes_moves_to_the_end_and_appears_once() {
        fixture.putLog("a", "first");
        fixture.putLog("b", "x");
        fixture.putLog("a", "second");

        FeedPage page = page(OWN, 0, LARGE);

        assertThat(keys(page)).containsExactly("context_log/b", "context_log/a");
        assertThat(page.tables().getFirst().rows().getLast().text(7)).isEqualTo("second");
    }

    @Test
    void pages_are_cut_by_bytes_but_a_large_row_still_passes() {
        fixture.putLog("a", "x".repeat(5_000));
        fixture.putLog("b", "y".repeat(5_000));
        fixture.putLog("c", "z".repeat(100));

        FeedPage first = page(OWN, 0, new FeedPage.Limits(100, 1_000));
        FeedPage second = page(OWN, first.upto(), new FeedPage.Limits(100, 6_000));

        assertThat(keys(first)).containsExactly("context_log/a");
        assertThat(first.hasMore()).isTrue();
        assertThat(keys(second)).containsExactly("context_log/b", "context_log/c");
        assertThat(second.hasMore()).isFalse();
    }

    @Test
    void the_last_page_reaches_the_clock_so_nothing_is_read_twice() {
        fixture.putLog("a", "x");
        FeedPage page = page(OWN, 0, LARGE);

        assertThat(page.upto()).isEqualTo(page.head());
        assertThat(page(OWN, page.upto(), LARGE).isEmpty()).isTrue();
        assertThat(page(OWN, page.upto(), LARGE).upto()).isEqualTo(page.upto());
    }

    @Test
    void what_a_runner_holds_of_others_is_not_in_its_feed() {
        fixture.database.write(
                tx -> fixture.runner.apply(tx, StoreFixture.ORG, List.of(peersHost(5))));

        assertThat(page(OWN, 0, LARGE).isEmpty()).isTrue();
    }

    @Test
    void a_hub_forwards_shared_rows_of_the_org_to_everyone_but_their_owner() {
        TableRows logs =
                new TableRows(
                        AgentTables.CONTEXT_LOG,
                        List.of(row(StoreFixture.PEER.value(), 6, StoreFixture.log("l", "m"))));
        fixture.database.write(
                tx -> fixture.hub.apply(tx, StoreFixture.ORG, List.of(peersHost(5), logs)));

        FeedScope toOwner = new FeedScope.ForwardedTo(StoreFixture.ORG, StoreFixture.PEER);
        FeedScope toOther = new FeedScope.ForwardedTo(StoreFixture.ORG, StoreFixture.SELF);
        FeedScope toStranger = new FeedScope.ForwardedTo(StoreFixture.OTHER_ORG, StoreFixture.SELF);
        assertThat(keys(page(toOther, 0, LARGE))).containsExactly("hosts/" + StoreFixture.PEER);
        assertThat(page(toOwner, 0, LARGE).isEmpty()).isTrue();
        assertThat(page(toStranger, 0, LARGE).isEmpty()).isTrue();
    }

    @Test
    void a_repeated_page_is_forwarded_no_further() {
        fixture.database.write(
                tx -> fixture.hub.apply(tx, StoreFixture.ORG, List.of(peersHost(5))));
        FeedScope toOther = new FeedScope.ForwardedTo(StoreFixture.ORG, StoreFixture.SELF);
        long seen = page(toOther, 0, LARGE).upto();

        int changed =
                fixture.database.write(
                        tx -> fixture.hub.apply(tx, StoreFixture.ORG, List.of(peersHost(5))));

        assertThat(changed).isZero();
        assertThat(page(toOther, seen, LARGE).isEmpty()).isTrue();
    }

    private FeedPage page(FeedScope scope, long after, FeedPage.Limits limits) {
        return fixture.database.read(s -> fixture.feed.page(s, scope, after, limits));
    }

    private static TableRows peersHost(long ver) {
        return new TableRows(
                HostTable.HOSTS,
                List.of(
                        row(
                                StoreFixture.PEER.value(),
                                ver,
                                StoreFixture.host(StoreFixture.PEER, "peer"))));
    }

    static SyncRow row(String owner, long ver, @Nullable Object[] values) {
        return new SyncRow(owner, 0, ver, values, null);
    }

    private static List<String> keys(FeedPage page) {
        List<String> keys = new ArrayList<>();
        for (TableRows part : page.tables()) {
            SyncTable table = part.table();
            part.rows().forEach(row -> keys.add(table.name() + "/" + row.text(0)));
        }
        return keys;
    }
}
