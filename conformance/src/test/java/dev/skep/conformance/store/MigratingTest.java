package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.migration.Migrations;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class MigratingTest {
    private final TestDatabase kind;
    private final SettableClock clock = SettableClock.atNewYear();
    @TempDir Path folder;

    MigratingTest(TestDatabase kind) {
        this.kind = kind;
    }

    @Test
    void a_new_database_gets_every_step_and_opens_again_unchanged() {
        DatabaseUrl url = kind.create(folder);
        try (Database database = Databases.open(url, clock)) {
            assertThat(versions(database)).hasSize(Migrations.shipped().count());
        }
        try (Database database = Databases.open(url, clock)) {
            assertThat(versions(database)).hasSize(Migrations.shipped().count());
        }
    }

    @Test
    void a_database_newer_than_the_program_is_refused_untouched() {
        DatabaseUrl url = kind.create(folder);
        try (Database database = Databases.open(url, clock)) {
            database.write(
                    tx ->
                            tx.update(
                                    "INSERT INTO schema_version VALUES (9000, 'future', 'x', 'now')"));
        }

        assertRefused(url, ErrorCode.DATABASE_NEWER).hasMessageContaining("9000");
    }

    @Test
    void a_database_made_with_an_edited_step_is_refused_untouched() {
        DatabaseUrl url = kind.create(folder);
        try (Database database = Databases.open(url, clock)) {
            database.write(tx -> tx.update("UPDATE schema_version SET checksum = 'x'"));
        }

        assertRefused(url, ErrorCode.MIGRATION_EDITED).hasMessageContaining("0001");
    }

    @Test
    void processes_that_start_together_migrate_once() throws Exception {
        DatabaseUrl url = kind.create(folder);
        List<Callable<Integer>> starts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            starts.add(() -> openAndCount(url));
        }
        int opened = 0;
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> start : pool.invokeAll(starts)) {
                opened += start.get();
            }
        }
        // A SQLite file has one owner at a time; a PostgreSQL database has as many as come.
        assertThat(opened).isGreaterThanOrEqualTo(kind == TestDatabase.SQLITE ? 1 : 4);
    }

    private int openAndCount(DatabaseUrl url) {
        try (Database database = Databases.open(url, clock)) {
            assertThat(versions(database)).hasSize(Migrations.shipped().count());
            return 1;
        } catch (SkepException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_BUSY);
            return 0;
        }
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
            DatabaseUrl url, ErrorCode code) {
        return assertThatThrownBy(() -> Databases.open(url, clock).close())
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static List<Long> versions(Database database) {
        return database.read(
                s -> s.list("SELECT version FROM schema_version", row -> row.number(1)));
    }
}
