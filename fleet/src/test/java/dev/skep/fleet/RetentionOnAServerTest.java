package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.server.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of a hub on PostgreSQL jumped: an alert tells, and a person decides. */
class RetentionOnAServerTest {
    private static final long HELD = Duration.ofDays(30).toMillis();

    @TempDir private Path folder = Path.of("");

    @Test
    void a_person_decides_about_it_with_the_hub_running_or_stopped() throws Exception {
        String server = PostgresServer.newDatabaseUrl();
        try (HubNode hub = HubNode.open(folder.resolve("hub"), 0, server)) {
            hold(hub.process.database());
            long before = hub.process.retention().keep();

            Eventually.holds("an alert", () -> alerts(hub, "resolved_at IS NULL") == 1);
            assertThat(skep(server, "retention").said()).contains("jumped over 30 days");
            assertThat(skep(server, "retention", "passed", "--yes").status()).isZero();

            assertThat(hub.process.retention().keep()).isGreaterThanOrEqualTo(before + HELD);
            assertThat(held(hub.process.database())).isZero();
            Eventually.holds("it is over", () -> alerts(hub, "resolved_at IS NOT NULL") == 1);
            hold(hub.process.database());
        }

        SkepCommand.Ended dismissed = skep(server, "retention", "dismiss", "--yes");

        assertThat(dismissed.said()).contains("have not aged by 30 days");
        assertThat(dismissed.status()).isZero();
        try (Database database = Databases.openReadOnly(DatabaseUrl.parse(server, folder))) {
            assertThat(held(database)).isZero();
        }
    }

    private SkepCommand.Ended skep(String server, String... words) throws Exception {
        String[] all = new String[words.length + 4];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = "--data-dir";
        all[words.length + 1] = folder.resolve("hub").toString();
        all[words.length + 2] = "--database";
        all[words.length + 3] = server;
        return SkepCommand.run(all);
    }

    private static long alerts(HubNode hub, String which) {
        return hub.fleetRows.number(
                "SELECT count(*) FROM alerts WHERE kind = 'RETENTION_BEHIND' AND subject = 'hub:clock' AND "
                        + which);
    }

    private static void hold(Database database) {
        database.write(tx -> tx.update("UPDATE retention_clock SET held = ?", HELD));
    }

    private static long held(Database database) {
        return database.read(RetentionClock::read).held();
    }
}
