package dev.skep.conformance.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import dev.skep.store.migration.Migrations;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A hub's database of before rows that are aside held up their owner, with rows aside. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class UpgradingWithRowsAsideTest {
    /** The last step of the version before. */
    private static final int BEFORE = 90;

    private final TestDatabase kind;
    private final SettableClock time = SettableClock.atNewYear();
    private long nanos;
    @TempDir Path folder;

    UpgradingWithRowsAsideTest(TestDatabase kind) {
        this.kind = kind;
    }

    @Test
    void what_was_aside_holds_up_its_owner_until_it_is_forgotten() {
        DatabaseUrl url = before();
        try (Database database = Databases.open(url, time)) {
            assertThat(asideFrom(database, "host-held")).isEqualTo(1);
            assertThat(asideFrom(database, "host-foreign"))
                    .as("what is somebody else's is never taken")
                    .isZero();
            assertThat(asideFrom(database, "host-clean")).isZero();

            RetentionClock clock = RetentionClock.open(database, time, () -> nanos);
            nanos = Duration.ofDays(31).toNanos();
            clock.keep();
            store(database).retention().deleteQuarantined(Duration.ofDays(30));
            assertThat(asideFrom(database, "host-held")).isZero();
        }
    }

    private DatabaseUrl before() {
        Map<Integer, String> steps = new HashMap<>();
        try (Database newest = Databases.openInMemory(time)) {
            steps.putAll(newest.read(db -> Migrations.shipped().stepsOf(newest, db)));
        }
        steps.keySet().removeIf(step -> step > BEFORE);
        DatabaseUrl url = kind.create(folder);
        try (Database database = Databases.openRaw(url)) {
            Migrations.shipped().having(steps, "before").apply(database, time);
            for (String host : new String[] {"host-held", "host-foreign", "host-clean"}) {
                database.write(
                        tx ->
                                tx.update(
                                        """
                                        INSERT INTO hub_sync_state (id, since_timestamp, head, updated_at)
                                        VALUES (?, 700, 700, ?)
                                        """,
                                        host,
                                        time.instant()));
            }
            aside(database, "host-held", "bad_column");
            aside(database, "host-foreign", "ownership_violation");
        }
        return url;
    }

    private void aside(Database database, String host, String reason) {
        database.write(
                tx ->
                        tx.update(
                                """
                                INSERT INTO sync_quarantine
                                    (org_id, host_id, table_name, row_key, reason, created_at)
                                VALUES ('org', ?, 'mail_messages', 'id', ?, ?)
                                """,
                                host,
                                reason,
                                time.instant()));
    }

    private long asideFrom(Database database, String host) {
        return store(database).read(db -> db.quarantinedFrom(host));
    }

    private SqlSyncStore store(Database database) {
        FeedClock feed = new FeedClock(time, new Random(7));
        return SqlSyncStore.ofRunner(database, schema(), feed, new EventBus(), time);
    }

    private static SyncSchema schema() {
        List<SyncTable> tables = new ArrayList<>(List.of(HostTable.HOSTS));
        tables.addAll(AgentTables.ALL);
        return SyncSchema.of(new SyncTables(tables), 1);
    }
}
