package dev.skep.conformance.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.copy.DatabaseCopy;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MovingToPostgresTest {
    private static final int ROWS = 5_000;
    private static final String TIME = "2027-01-01T00:00:00.000000Z";

    @TempDir private Path folder = Path.of("");
    private final SettableClock clock = SettableClock.atNewYear();
    private @Nullable Database opened;
    private final Database target = Databases.open(PostgresServer.newDatabase(), clock);
    private final List<String> told = new ArrayList<>();

    private Database source() {
        if (opened == null) {
            opened = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("hub.db")), clock);
        }
        return opened;
    }

    @BeforeEach
    void fill() {
        source().write(
                        tx -> {
                            tx.update(
                                    "INSERT INTO local_host (one, host_id) VALUES (1, ?)",
                                    "the-host");
                            tx.update("UPDATE feed_clock SET pos = 4711");
                            for (int i = 0; i < ROWS; i++) {
                                // Upper and lower case: sorted apart by bytes, together by
                                // language.
                                tx.update(
                                        "INSERT INTO epochs (epoch, end_n) VALUES (?, ?)",
                                        i,
                                        (long) i * i);
                                tx.update(
                                        """
                                INSERT INTO sync_quarantine (org_id, host_id, table_name, row_key, reason, row_json, created_at)
                                VALUES ('default', 'h', 'users', ?, 'because', ?, ?)
                                """,
                                        (i % 2 == 0 ? "a" : "B") + i,
                                        i % 3 == 0 ? null : "ünïcode " + i,
                                        TIME);
                            }
                            return ROWS;
                        });
    }

    @AfterEach
    void close() {
        source().close();
        target.close();
    }

    private DatabaseCopy copy() {
        return new DatabaseCopy(
                source(), target, (step, table, done, of) -> told.add(step + " " + table));
    }

    @Test
    void every_row_of_every_table_arrives_and_is_compared() {
        DatabaseCopy.Summary summary = copy().run();
        assertThat(summary.rows()).isGreaterThan(2 * ROWS);
        assertThat(summary.mended()).isZero();
        assertThat(number("SELECT pos FROM feed_clock")).isEqualTo(4711);
        assertThat(number("SELECT count(*) FROM sync_quarantine WHERE row_json IS NULL"))
                .isEqualTo((ROWS + 2) / 3);
        assertThat(told).contains("copied epochs", "verified epochs");
    }

    @Test
    void an_interrupted_copy_continues_behind_what_is_there() {
        DatabaseCopy interrupted =
                new DatabaseCopy(
                        source(),
                        target,
                        (step, table, done, of) -> {
                            if (table.equals("sync_quarantine") && done == 4_000) {
                                throw new IllegalStateException("the plug was pulled");
                            }
                        });
        assertThatThrownBy(interrupted::run).hasMessageContaining("plug");
        assertThat(number("SELECT count(*) FROM sync_quarantine")).isEqualTo(4_000);
        assertThat(copy().run().mended()).isZero();
        assertThat(told.stream().filter("copied sync_quarantine"::equals)).hasSize(1);
        assertThat(number("SELECT count(*) FROM sync_quarantine")).isEqualTo(ROWS);
    }

    @Test
    void a_row_that_was_damaged_on_the_way_is_found_and_mended() {
        copy().run();
        target.write(
                tx ->
                        tx.update("UPDATE epochs SET end_n = 1 WHERE epoch = 17")
                                + tx.update("DELETE FROM epochs WHERE epoch = 18"));
        assertThat(copy().run().mended()).isEqualTo(2);
        assertThat(number("SELECT end_n FROM epochs WHERE epoch = 17")).isEqualTo(289);
    }

    @Test
    void the_database_of_another_host_is_left_alone() {
        target.write(
                tx -> tx.update("INSERT INTO local_host (one, host_id) VALUES (1, ?)", "somebody"));
        assertThatThrownBy(() -> copy().run()).hasMessageContaining("belongs to host somebody");
    }

    private long number(String sql) {
        return target.read(db -> db.first(sql, row -> row.number(1)).orElseThrow());
    }
}
