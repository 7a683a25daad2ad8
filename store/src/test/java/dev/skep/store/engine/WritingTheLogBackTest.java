package dev.skep.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQLite's log holds what the file does not have yet, and must not grow with what was written. */
class WritingTheLogBackTest {
    private static final int MEGABYTE = 1 << 20;

    @TempDir Path folder;

    @Test
    void the_log_stays_small_however_much_is_written_beside_it() throws IOException {
        Path file = folder.resolve("skep.db");
        Path log = folder.resolve("skep.db-wal");
        DatabaseUrl url = new DatabaseUrl.Sqlite(file);
        long largest = 0;
        try (Database database = Databases.open(url, SettableClock.atNewYear())) {
            database.write(tx -> tx.update("CREATE TABLE t (x TEXT)"));
            for (int i = 0; i < 64; i++) {
                database.write(tx -> tx.update("INSERT INTO t VALUES (?)", "x".repeat(MEGABYTE)));
                List<Long> read =
                        database.read(s -> s.list("SELECT count(*) FROM t", row -> row.number(1)));
                assertThat(read).containsExactly(i + 1L);
                largest = Math.max(largest, Files.size(log));
            }
            assertThat(largest).isBetween(12L * MEGABYTE, 20L * MEGABYTE);
        }

        assertThat(log).doesNotExist();
        assertThat(Files.size(file)).isGreaterThan(64L * MEGABYTE);
    }
}
