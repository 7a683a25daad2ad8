package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.history.ConnectionLog;
import dev.skep.directory.history.ConnectionRecord;
import dev.skep.directory.history.ConnectionRecordStore;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.testkit.server.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When hosts were connected to a hub. */
class RememberingLinksTest extends EachDatabase {
    private static final Principal.Host HOST =
            new Principal.Host(StoreFixture.ORG, StoreFixture.PEER);

    private @Nullable UlidSource ids;

    private ConnectionLog connectionLog() {
        UlidSource made = ids == null ? new UlidSource(fixture.time, new Random(3)) : ids;
        ids = made;
        var connectionLog =
                new ConnectionLog(fixture.database, made, fixture.time, () -> "http://hub");
        connectionLog.start();
        return connectionLog;
    }

    /** What is written is there once the book is closed. */
    private List<ConnectionRecord> written(ConnectionLog connectionLog) {
        connectionLog.close();
        var who = new Principal.Local(StoreFixture.ORG);
        return fixture.database.read(
                db ->
                        new ConnectionRecordStore()
                                .newest(db, who, Optional.of(StoreFixture.PEER), 500));
    }

    @Test
    void a_link_is_recorded_with_its_address_its_hub_and_why_it_ended() {
        ConnectionLog connectionLog = connectionLog();
        Instant opened = fixture.time.instant();
        ConnectionLog.Entry link = connectionLog.opened(HOST, "10.0.0.7");
        fixture.time.advance(Duration.ofMinutes(5));
        link.closed("the connection broke");

        assertThat(written(connectionLog))
                .singleElement()
                .satisfies(
                        connectionRecord -> {
                            assertThat(connectionRecord.address()).isEqualTo("10.0.0.7");
                            assertThat(connectionRecord.hub()).isEqualTo("http://hub");
                            assertThat(connectionRecord.openedAt()).isEqualTo(opened);
                            assertThat(connectionRecord.closedAt())
                                    .isEqualTo(opened.plus(Duration.ofMinutes(5)));
                            assertThat(connectionRecord.reason()).isEqualTo("the connection broke");
                        });
    }

    @Test
    void what_a_hub_did_not_see_end_is_ended_by_the_next_link() {
        ConnectionLog killed = connectionLog();
        killed.opened(HOST, "10.0.0.7");
        killed.close();
        ConnectionLog next = connectionLog();
        next.opened(HOST, "10.0.0.8");

        List<ConnectionRecord> connectionRecords = written(next);
        assertThat(connectionRecords.getFirst().closedAt()).isNull();
        assertThat(connectionRecords.getLast().reason()).contains("not seen");
    }

    @Test
    void the_file_of_a_hub_that_was_killed_claims_no_link_after_the_next_start() {
        ConnectionLog killed = connectionLog();
        killed.opened(HOST, "10.0.0.7");
        killed.close();

        // On a server another process may hold it.
        assertThat(written(connectionLog()).getFirst().closedAt() == null)
                .isEqualTo(kind == TestDatabase.POSTGRES);
    }

    @Test
    void of_each_host_the_newest_are_kept_and_old_ones_forgotten() {
        ConnectionLog connectionLog = connectionLog();
        for (int i = 0; i < 130; i++) {
            fixture.time.advance(Duration.ofSeconds(1));
            connectionLog.opened(HOST, "10.0.0." + i).closed("it went");
        }

        List<ConnectionRecord> connectionRecords = written(connectionLog);
        assertThat(connectionRecords).hasSize(100);
        assertThat(connectionRecords.getFirst().address()).isEqualTo("10.0.0.129");
        assertThat(connectionLog.forget(Duration.ZERO)).isEqualTo(100);
        assertThat(written(connectionLog())).isEmpty();
    }
}
