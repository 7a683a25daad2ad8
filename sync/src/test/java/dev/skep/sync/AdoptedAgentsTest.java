package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.agents.AgentStatus;
import dev.skep.agents.AgentTables;
import dev.skep.agents.Notification;
import dev.skep.agents.NotificationStore;
import dev.skep.directory.HostTable;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.sync.hub.HubSync;
import dev.skep.sync.hub.TakeoverService;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.wire.Message;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
                    SqlSyncStore.ofRunner(
                            database, ProductTables.SCHEMA, feed, new EventBus(), CLOCK);
            store.write(tx -> tx.apply(ORG, List.of(agent(), notification())));

            store.write(
                    tx -> {
                        tx.adopt(ORG, NEW, ANNA.value(), 7);
                        return ANNA;
                    });
            OwnRowWriter own = new OwnRowWriter(ProductTables.SCHEMA.tables(), feed, ORG, NEW);
            new NotificationStore(database, own, CLOCK)
                    .add(new Notification(ANNA, null, null, null, AgentStatus.ACTIVE, null, null));

            assertThat(owner(database, "users")).isEqualTo(NEW + " 7");
            assertThat(owner(database, "user_notifications")).isEqualTo(NEW + " 7");
        }
    }

    /** Or a host that is restored to it would go on without the rows that hubs never got. */
    @Test
    void a_backup_from_before_an_agent_went_away_does_not_know_what_hubs_pull_after(
            @TempDir Path folder) {
        try (Database database =
                Databases.open(new DatabaseUrl.Sqlite(folder.resolve("runner.db")), CLOCK)) {
            FeedClock feed = new FeedClock(CLOCK, new Random(1));
            feed.start(database);
            SyncStore store =
                    SqlSyncStore.ofRunner(
                            database, ProductTables.SCHEMA, feed, new EventBus(), CLOCK);
            TableRows agent = agent();
            store.write(tx -> tx.apply(ORG, List.of(agent)));
            long inTheBackup = store.read(SyncStore.Reading::now);

            store.write(
                    tx -> {
                        tx.giveUp(ORG, AgentTables.USERS, agent.rows().getFirst());
                        return ANNA;
                    });

            assertThat(store.read(SyncStore.Reading::now)).isGreaterThan(inTheBackup);
            List<Message.Reject> rejected = store.read(db -> db.rejected(ORG, OLD));
            assertThat(rejected).extracting(Message.Reject::reason).containsExactly("taken_over");
        }
    }

    /** Its new owner died before the hub heard of it; what the old one wrote waits there. */
    @Test
    void an_agent_that_only_waiting_rows_name_can_be_given_away(@TempDir Path folder) {
        try (Database database =
                Databases.open(new DatabaseUrl.Sqlite(folder.resolve("hub.db")), CLOCK)) {
            FeedClock feed = new FeedClock(CLOCK, new Random(1));
            feed.start(database);
            SyncStore store =
                    SqlSyncStore.ofHub(database, ProductTables.SCHEMA, feed, new EventBus(), CLOCK);
            store.write(tx -> tx.apply(ORG, List.of(host())));
            SyncLimits limits = SyncLimits.DEFAULT;
            TakeoverService takeoverService =
                    new TakeoverService(
                            store,
                            new HubSync(store, ProductTables.SCHEMA, limits, CLOCK),
                            CLOCK,
                            new Random(1));
            assertThatThrownBy(() -> takeoverService.grant(ORG, NEW, ANNA.value()))
                    .hasMessageContaining("knows no agent");

            store.write(
                    tx -> {
                        tx.awaitAgents(ORG, OLD, Set.of(ANNA.value()));
                        return ANNA;
                    });

            long gen = takeoverService.grant(ORG, NEW, ANNA.value());
            List<Message.Grant> pending = store.read(db -> db.pendingGrants(ORG, NEW));
            assertThat(pending).containsExactly(new Message.Grant(ANNA.value(), gen));
        }
    }

    private static TableRows host() {
        @Nullable Object[] values = new @Nullable Object[HostTable.HOSTS.columns().size()];
        for (int i = 0; i < values.length; i++) {
            Column column = HostTable.HOSTS.columns().get(i);
            boolean text = column.type() == Column.Type.TEXT;
            values[i] = column.required() ? (text ? AT : (Object) 0L) : null;
        }
        values[HostTable.HOSTS.indexOf("id")] = NEW.value();
        return new TableRows(
                HostTable.HOSTS, List.of(new SyncRow(NEW.value(), 0, 4, values, null)));
    }

    private static TableRows agent() {
        @Nullable Object[] values =
                AgentTables.USERS.values(
                        "id, username, kind, name_conflict, created_at, updated_at",
                        ANNA.value(),
                        "anna",
                        "agent",
                        0L,
                        AT,
                        AT);
        return new TableRows(
                AgentTables.USERS, List.of(new SyncRow(OLD.value(), 0, 5, values, null)));
    }

    private static TableRows notification() {
        @Nullable Object[] values =
                AgentTables.USER_NOTIFICATIONS.values(
                        "user_id, status, created_at, updated_at", ANNA.value(), "waiting", AT, AT);
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
