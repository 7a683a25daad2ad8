package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.identity.Principal;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.sync.sql.SyncReports;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Since when a hub lacks rows of a host. */
class HowFarBehindTest extends EachDatabase {
    private static final String HOST = StoreFixture.PEER.value();

    private SqlSyncStore store;
    private SyncReports reports;
    private long link;

    @BeforeEach
    void link() {
        SyncSchema schema = SyncSchema.of(fixture.tables, 1);
        store =
                SqlSyncStore.ofHub(
                        fixture.database, schema, fixture.clock, new EventBus(), fixture.time);
        reports = new SyncReports(fixture.database, schema);
        fixture.database.write(
                tx ->
                        tx.update(
                                """
                                INSERT INTO hosts (id, name, kind, org_id, host_id, ver, feed, created_at, updated_at)
                                VALUES (?, 'peer', 'runner', ?, ?, 1, 1, ?, ?)
                                """,
                                HOST,
                                StoreFixture.ORG.value(),
                                HOST,
                                StoreFixture.TIME,
                                StoreFixture.TIME));
        link = store.write(tx -> tx.openLink(HOST)).linkNo();
    }

    private void pulled(long upto, long head) {
        boolean stored = store.write(tx -> tx.advance(HOST, link, upto, head));
        assertThat(stored).isTrue();
    }

    private SyncReports.PeerView peer() {
        return reports.peers(new Principal.Local(StoreFixture.ORG)).getFirst();
    }

    @Test
    void a_host_of_which_everything_is_here_is_not_behind_however_long_it_says_nothing() {
        pulled(7, 7);
        fixture.time.advance(Duration.ofHours(3));

        assertThat(peer().lag()).isZero();
        assertThat(peer().behindSince()).isNull();
    }

    @Test
    void one_that_has_more_is_behind_since_that_was_first_known_until_all_is_here() {
        pulled(7, 7);
        fixture.time.advance(Duration.ofHours(3));
        Instant known = fixture.time.instant();
        pulled(1_007, 9_000);
        fixture.time.advance(Duration.ofSeconds(20));
        pulled(2_007, 9_500);

        assertThat(peer().lag()).isEqualTo(7_493);
        assertThat(peer().behindSince()).isEqualTo(known);
        pulled(9_500, 9_500);
        assertThat(peer().behindSince()).isNull();
    }
}
