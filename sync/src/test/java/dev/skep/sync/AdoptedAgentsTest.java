package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentStatus;
import dev.skep.agents.AgentTables;
import dev.skep.agents.Notification;
import dev.skep.agents.NotificationStore;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRows;
import dev.skep.sync.sql.SqlSyncStore;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host that took an agent over writes on where the old owner stopped. */
class AdoptedAgentsTest {
    private static final InstantSource CLOCK = () -> Instant.parse("2027-01-01T00:00:00Z");
    private static final String AT = "2027-01-01T00:00:00.000000Z";
    private static final OrgId ORG = new OrgId("org");
    private static final HostId OLD = new HostId("01HOSTOLD00000000000000000");
    private static final HostId NEW = new HostId("01HOSTNEW00000000000000000");
    private static final AgentId ANNA = new AgentId("01AGENTANNA000000000000000");

    @Test
    void rows_that_go_with_the_agent_carry_its_generation(@TempDir Path folder) {
        try (Database database =
                Databases.open(new DatabaseUrl.Sqlite(folder.resolve("runner.db")), CLOCK)) {
            FeedClock feed = new FeedClock(CLOCK, new Random(1));
            feed.start(database);
            SyncStore store =
                    SqlSyncStore.ofRunner(database, Tables.SCHEMA, feed, new Events(), CLOCK);
            store.write(tx -> tx.apply(ORG, List.of(agent(), notification())));

            store.write(
                    tx -> {
                        tx.adopt(ORG, NEW, ANNA.value(), 7);
                        return ANNA;
                    });
            OwnRows own = new OwnRows(Tables.SCHEMA.tables(), feed, ORG, NEW);
            new NotificationStore(database, own, CLOCK)
                    .tell(new Notification(ANNA, null, null, null, AgentStatus.ACTIVE, null, null));

            assertThat(owner(database, "users")).isEqualTo(NEW + " 7");
            assertThat(owner(database, "user_notifications")).isEqualTo(NEW + " 7");
        }
    }

    private static TableRows agent() {
        @Nullable Object[] values = {
            ANNA.value(), "anna", null, "agent", null, null, null, 0L, null, null, null, AT, AT
        };
        return new TableRows(
                AgentTables.USERS, List.of(new SyncRow(OLD.value(), 0, 5, values, null)));
    }

    private static TableRows notification() {
        @Nullable Object[] values = {ANNA.value(), null, null, null, "waiting", null, null, AT, AT};
        return new TableRows(
                AgentTables.USER_NOTIFICATIONS,
                List.of(new SyncRow(OLD.value(), 0, 6, values, null)));
    }

    private static String owner(Database database, String table) {
        return database.read(
                db ->
                        db.first(
                                        "SELECT host_id, gen FROM " + table,
                                        row -> row.text("host_id") + " " + row.number("gen"))
                                .orElseThrow());
    }
}
