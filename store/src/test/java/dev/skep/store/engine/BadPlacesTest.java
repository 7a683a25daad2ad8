package dev.skep.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each of these is one line for a person, and nothing is damaged. */
class BadPlacesTest {
    @TempDir Path folder;

    @Test
    void a_file_that_is_no_database_is_left_as_it_is() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.db"), "dear diary\n".repeat(500));

        assertRefused(file, ErrorCode.NOT_A_DATABASE).hasMessageContaining("notes.db");
        assertThat(Files.readString(file)).startsWith("dear diary");
    }

    @Test
    void another_programs_database_is_left_as_it_is() {
        Path file = folder.resolve("other.db");
        open(file).close();
        try (Database database = open(file)) {
            database.write(tx -> tx.update("DROP TABLE schema_version"));
        }

        assertRefused(file, ErrorCode.NOT_A_DATABASE).hasMessageContaining("another program's");
    }

    @Test
    void a_folder_that_cannot_hold_a_file_is_named() throws IOException {
        Path notAFolder = Files.writeString(folder.resolve("file"), "");

        assertRefused(notAFolder.resolve("skep.db"), ErrorCode.DATA_DIR_UNUSABLE)
                .hasMessageContaining("--data-dir");
    }

    @Test
    void a_second_process_on_the_same_file_learns_who_has_it() {
        Path file = folder.resolve("skep.db");
        try (Database first = open(file)) {
            assertThat(first.name()).isEqualTo(file.toString());
            assertRefused(file, ErrorCode.DATABASE_BUSY)
                    .hasMessageContaining("pid " + ProcessHandle.current().pid());
        }
    }

    @Test
    void a_reader_sees_what_the_owner_writes_and_cannot_write() {
        Path file = folder.resolve("skep.db");
        try (Database owner = open(file);
                Database reader = Databases.openReadOnly(new DatabaseUrl.Sqlite(file))) {
            owner.write(tx -> tx.update("CREATE TABLE t (x BIGINT)"));
            owner.write(tx -> tx.update("INSERT INTO t VALUES (4)"));

            List<Long> seen = reader.read(s -> s.list("SELECT x FROM t", row -> row.number(1)));
            assertThat(seen).containsExactly(4L);
            assertThatThrownBy(() -> reader.write(tx -> tx.update("DELETE FROM t")))
                    .hasMessageContaining("for reading only");
        }
    }

    @Test
    void a_closed_database_is_one_file_that_only_its_owner_may_read() throws IOException {
        Path file = folder.resolve("skep.db");
        try (Database database = open(file)) {
            database.write(tx -> tx.update("CREATE TABLE t (x BIGINT)"));
            assertThat(permissions(folder.resolve("skep.db-wal"))).isEqualTo("rw-------");
        }

        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(folder.resolve("skep.db-wal")).doesNotExist();
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void a_wrong_database_url_is_reported_without_its_password() {
        assertThatThrownBy(() -> DatabaseUrl.parse("postgresql://u:se cret@h/db", Path.of(".")))
                .hasMessageContaining("DATABASE_URL")
                .hasMessageNotContaining("cret");
        assertThatThrownBy(() -> DatabaseUrl.parse("postgresql://u:se@cret@h/db", Path.of(".")))
                .hasMessageContaining("percent-encode")
                .hasMessageNotContaining("cret");
        assertThatThrownBy(() -> DatabaseUrl.parse("mysql://h/db", Path.of(".")))
                .hasMessageContaining("mysql");
        DatabaseUrl nobodyThere =
                DatabaseUrl.parse("postgresql://u:secret@127.0.0.1:1/db", Path.of("."));
        assertThatThrownBy(() -> Databases.open(nobodyThere, SettableClock.atNewYear()).close())
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE))
                .hasMessageContaining("127.0.0.1:1")
                .hasMessageNotContaining("secret");
    }

    @Test
    void a_full_disk_refuses_the_write_and_keeps_what_was_stored() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.of(3, folder);
        assumeTrue(mounted.isPresent(), "mounting a small disk needs root");
        try (SmallDisk disk = mounted.get()) {
            Path file = disk.folder().resolve("skep.db");
            Path ballast = disk.folder().resolve("ballast");
            int stored = 0;
            try (Database database = open(file)) {
                database.write(tx -> tx.update("CREATE TABLE t (x TEXT)"));
                // More than the log can grow by, so that it fits into the file once this is gone.
                Files.write(ballast, new byte[3 << 19]);
                stored = writeUntilFull(database);
                assertThat(rows(database)).isEqualTo(stored);
                Files.delete(ballast);
                insert(database, "there is room again");
            }
            try (Database again = open(file)) {
                assertThat(rows(again)).isEqualTo(stored + 1);
                assertThat(text(again, "PRAGMA integrity_check")).isEqualTo("ok");
            }
        }
    }

    private static int writeUntilFull(Database database) {
        for (int stored = 0; ; stored++) {
            try {
                insert(database, "x".repeat(2_000));
            } catch (SkepException full) {
                assertThat(full.code()).isEqualTo(ErrorCode.DISK_FULL);
                assertThat(full).hasMessageContaining("free some space");
                return stored;
            }
        }
    }

    private static void insert(Database database, String text) {
        database.write(tx -> tx.update("INSERT INTO t VALUES (?)", text));
    }

    private static long rows(Database database) {
        return Long.parseLong(text(database, "SELECT CAST(count(*) AS TEXT) FROM t"));
    }

    private static String text(Database database, String sql) {
        return database.read(
                db -> db.first(sql, row -> String.valueOf(row.textOrNull(1))).orElseThrow());
    }

    private static Database open(Path file) {
        return Databases.open(new DatabaseUrl.Sqlite(file), SettableClock.atNewYear());
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
            Path file, ErrorCode code) {
        return assertThatThrownBy(() -> open(file).close())
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
