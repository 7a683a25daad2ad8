package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.server.PostgresServer;
import dev.skep.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    void a_second_process_on_the_same_file_is_told_who_has_it() {
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
    void a_wrong_database_url_is_told_without_its_password() {
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
    void a_database_the_server_does_not_have_is_named() {
        DatabaseUrl.Postgres there = (DatabaseUrl.Postgres) PostgresServer.newDatabase();
        DatabaseUrl missing =
                new DatabaseUrl.Postgres(
                        there.host(), there.port(), "nope", there.user(), there.password(), null);

        assertThatThrownBy(() -> Databases.open(missing, SettableClock.atNewYear()).close())
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("nope")
                .hasMessageContaining("createdb");
    }

    @Test
    void a_full_disk_refuses_the_write_and_keeps_what_was_stored() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=2m", "none", disk.toString()),
                "mounting a small disk needs root");
        try {
            int stored = 0;
            try (StoreFixture fixture =
                    new StoreFixture(new DatabaseUrl.Sqlite(disk.resolve("skep.db")))) {
                stored = writeUntilFull(fixture);
                assertThat(rows(fixture)).isEqualTo(stored);
                Files.delete(disk.resolve("ballast"));
                fixture.putLog("after", "there is room again");
            }
            try (StoreFixture again =
                    new StoreFixture(new DatabaseUrl.Sqlite(disk.resolve("skep.db")))) {
                assertThat(rows(again)).isEqualTo(stored + 1);
                assertThat(KilledWhileWritingTest.integrity(again)).isEqualTo("ok");
            }
        } finally {
            run("umount", disk.toString());
        }
    }

    private static int writeUntilFull(StoreFixture fixture) throws IOException {
        Path ballast = Path.of(fixture.database.name()).resolveSibling("ballast");
        Files.write(ballast, new byte[1 << 20]);
        for (int stored = 0; ; stored++) {
            try {
                fixture.putLog("row" + stored, "x".repeat(2_000));
            } catch (SkepException full) {
                assertThat(full.code()).isEqualTo(ErrorCode.DISK_FULL);
                assertThat(full).hasMessageContaining("free some space");
                return stored;
            }
        }
    }

    private static long rows(StoreFixture fixture) {
        return fixture.database.read(
                s ->
                        s.first(
                                        "SELECT count(*) FROM " + AgentTables.CONTEXT_LOG.name(),
                                        row -> row.number(1))
                                .orElseThrow());
    }

    private static boolean run(String... command) throws Exception {
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
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
