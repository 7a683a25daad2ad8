package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.server.PostgresServer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class KilledWhileMigratingTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final int ROWS = 9_000;

    /** In the fourth piece of 2,000. */
    private static final int BLOCKED = 7_000;

    @Test
    void a_migration_killed_in_the_middle_continues_where_it_was_and_is_verified(
            @TempDir Path folder) throws Exception {
        try (Database source =
                Databases.open(new DatabaseUrl.Sqlite(folder.resolve("hub.db")), CLOCK)) {
            source.write(
                    tx -> {
                        for (int i = 1; i <= ROWS; i++) {
                            tx.update("INSERT INTO epochs (epoch, end_n) VALUES (?, ?)", i, i);
                        }
                        return ROWS;
                    });
        }
        String url = PostgresServer.newDatabaseUrl();
        String[] migrate = {"migrate", "--data-dir", folder.toString(), "--to", url};
        try (Database target = Databases.open(DatabaseUrl.parse(url, folder), CLOCK)) {
            CountDownLatch killed = new CountDownLatch(1);
            Thread blocking = Thread.ofVirtual().start(() -> hold(target, killed));
            Process first = SkepCommand.start(migrate);
            try {
                Eventually.holds("three pieces are there", () -> count(target) == 6_000);
            } finally {
                first.destroyForcibly().waitFor();
                killed.countDown();
                blocking.join();
            }
            assertThat(count(target)).isEqualTo(6_000);

            SkepCommand.Ended again = SkepCommand.run(migrate);
            assertThat(again.status()).as(again.said()).isZero();
            assertThat(again.said()).contains("each compared with its original");
            assertThat(count(target)).isEqualTo(ROWS);
            assertThat(number(target, "SELECT count(*) FROM epochs WHERE epoch <> end_n")).isZero();
        }
    }

    /** Has a row of the copy's waiting in a transaction that ends with the test's word. */
    private static void hold(Database target, CountDownLatch until) {
        try {
            target.write(
                    tx -> {
                        tx.update("INSERT INTO epochs (epoch, end_n) VALUES (?, 0)", BLOCKED);
                        try {
                            until.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        throw new IllegalStateException("not kept");
                    });
        } catch (IllegalStateException rolledBack) {
            // as told
        }
    }

    private static long count(Database target) {
        return number(target, "SELECT count(*) FROM epochs");
    }

    private static long number(Database target, String sql) {
        return target.read(db -> db.first(sql, row -> row.number(1)).orElse(-1L));
    }
}
