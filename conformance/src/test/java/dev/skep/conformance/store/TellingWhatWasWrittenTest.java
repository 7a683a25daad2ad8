package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.store.Database;
import dev.skep.store.engine.Databases;
import dev.skep.store.news.TableChangeNotifier;
import dev.skep.testkit.server.TestDatabase;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TellingWhatWasWrittenTest extends EachDatabase {
    private final BlockingQueue<Set<String>> told = new LinkedBlockingQueue<>();

    @Test
    void a_commit_tells_the_tables_it_wrote() {
        try (var _ = fixture.database.onWritten(told::add)) {
            fixture.database.write(
                    tx -> {
                        tx.update(
                                """
                                INSERT INTO retention (table_name, horizon) VALUES ('x', 'y')
                                ON CONFLICT (table_name) DO UPDATE SET horizon = excluded.horizon
                                """);
                        tx.update("DELETE FROM seen WHERE host_id = 'nobody'");
                        return tx.first("SELECT 1 FROM hosts", row -> 1);
                    });
        }

        assertThat(told).containsExactly(Set.of("retention", "seen"));
    }

    @Test
    void a_row_that_is_changed_and_read_in_one_transaction_is_notified_too() {
        try (var _ = fixture.database.onWritten(told::add)) {
            fixture.database.write(tx -> fixture.clock.take(tx, 1));
        }

        assertThat(told).containsExactly(Set.of("feed_clock"));
    }

    @Test
    void a_rolled_back_change_is_not_notified() {
        try (var _ = fixture.database.onWritten(told::add)) {
            assertThatThrownBy(
                            () ->
                                    fixture.database.write(
                                            tx -> {
                                                tx.update("DELETE FROM seen");
                                                throw new IllegalStateException("no");
                                            }))
                    .hasMessage("no");
            fixture.database.write(tx -> tx.update("DELETE FROM retention"));
        }

        assertThat(told).containsExactly(Set.of("retention"));
    }

    @Test
    void another_process_on_the_database_is_notified() throws InterruptedException {
        var here = new TableChangeNotifier(fixture.database, "here");
        here.start();
        try (Database other = lookedAtElsewhere()) {
            var there = new TableChangeNotifier(other, "there");
            there.onChange(told::add);
            there.start();
            fixture.database.write(tx -> tx.update("DELETE FROM seen"));

            // A file says that it changed, and not how.
            assertThat(told.poll(10, TimeUnit.SECONDS))
                    .isEqualTo(kind == TestDatabase.SQLITE ? Set.of() : Set.of("seen"));
            there.close();
        } finally {
            here.close();
        }
    }

    private Database lookedAtElsewhere() {
        return kind == TestDatabase.SQLITE
                ? Databases.openReadOnly(fixture.url)
                : Databases.open(fixture.url, fixture.time);
    }
}
