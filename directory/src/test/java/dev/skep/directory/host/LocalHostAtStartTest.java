package dev.skep.directory.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.directory.TestProcess;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalHostAtStartTest {
    @TempDir Path dataDir;

    @Test
    void the_first_start_makes_a_host_with_a_key_only_its_owner_may_read() throws IOException {
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(dataDir.resolve("runner.key"))))
                    .isEqualTo("rw-------");
            assertThat(row(process))
                    .isEqualTo(
                            "east-1 runner "
                                    + process.host.keys().newest().publicKey()
                                    + " "
                                    + process.host.machine().id());
        }
    }

    @Test
    void a_restart_is_the_same_host_and_writes_nothing_anew() {
        HostId id;
        long stamped;
        String key;
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            id = process.host.id();
            key = process.host.keys().newest().publicKey();
            stamped = stamp(process);
        }
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            assertThat(process.host.id()).isEqualTo(id);
            assertThat(process.host.keys().newest().publicKey()).isEqualTo(key);
            assertThat(stamp(process)).isEqualTo(stamped);
        }
    }

    @Test
    void a_new_name_is_written_with_a_new_stamp() {
        long stamped;
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            stamped = stamp(process);
        }
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "west-1")) {
            assertThat(row(process)).startsWith("west-1 ");
            assertThat(stamp(process)).isGreaterThan(stamped);
        }
    }

    @Test
    void a_lost_database_awaits_the_hubs_of_the_key_also_after_a_restart() throws IOException {
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            process.host.keys().joined("https://a", "01A", 1, Consents.USUAL);
            process.host.keys().joined("https://b", "01B", 1, Consents.USUAL);
            process.host.keys().joined("https://c", "01C", 1, Consents.USUAL);
            assertThat(process.host.awaited().isAnyLeft()).isFalse();
        }
        Files.delete(dataDir.resolve("runner.db"));
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            assertThat(awaited(process)).containsExactlyInAnyOrder("01A", "01B", "01C");
            assertThat(process.host.awaited().answered("01A")).isTrue();
            assertThat(process.host.awaited().answered("01A")).isFalse();
            process.host.keys().left("https://b");
        }
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            assertThat(awaited(process)).containsExactly("01C");
            process.host.awaited().giveUp();
            assertThat(awaited(process)).isEmpty();
        }
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            assertThat(awaited(process)).isEmpty();
            assertThat(process.host.awaited().isAnyLeft()).isTrue();
            assertThat(process.host.awaited().answered("01C")).isTrue();
            assertThat(process.host.awaited().isAnyLeft()).isFalse();
        }
    }

    private static List<String> awaited(TestProcess process) {
        return process.host.awaited().awaited().stream().map(JoinedHub::hubId).toList();
    }

    @Test
    void a_lost_database_does_not_make_a_new_host() throws IOException {
        HostId id;
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            id = process.host.id();
        }
        Files.delete(dataDir.resolve("runner.db"));
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            assertThat(process.host.id()).isEqualTo(id);
        }
    }

    @Test
    void a_lost_key_is_made_again_for_the_same_host() throws IOException {
        HostId id;
        String key;
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            id = process.host.id();
            key = process.host.keys().newest().publicKey();
        }
        Files.delete(dataDir.resolve("runner.key"));
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            assertThat(process.host.id()).isEqualTo(id);
            assertThat(process.host.keys().newest().publicKey()).isNotEqualTo(key);
            assertThat(row(process)).contains(process.host.keys().newest().publicKey());
        }
    }

    @Test
    void another_hosts_key_file_is_refused(@TempDir Path other) throws IOException {
        new TestProcess(dataDir, HostKind.RUNNER, "east-1").close();
        new TestProcess(other, HostKind.RUNNER, "east-2", laterClock()).close();
        Files.delete(dataDir.resolve("runner.key"));
        Files.copy(other.resolve("runner.key"), dataDir.resolve("runner.key"));
        assertThatThrownBy(() -> new TestProcess(dataDir, HostKind.RUNNER, "east-1"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.HOST_KEY_MISSING));
    }

    @Test
    void a_key_file_that_others_may_read_is_refused_with_the_command_that_mends_it()
            throws IOException {
        new TestProcess(dataDir, HostKind.RUNNER, "east-1").close();
        Files.setPosixFilePermissions(
                dataDir.resolve("runner.key"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> new TestProcess(dataDir, HostKind.RUNNER, "east-1"))
                .hasMessageContaining("chmod 600");
    }

    @Test
    void ids_go_on_above_those_stored_even_if_the_clock_went_back() {
        String before;
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1", laterClock())) {
            before = process.host.id().value();
        }
        try (var process = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            assertThat(process.ids.next()).isGreaterThan(before);
        }
    }

    private static SettableClock laterClock() {
        return new SettableClock(Instant.parse("2026-11-15T09:00:00Z"));
    }

    private static long stamp(TestProcess process) {
        return process.database.read(
                s -> s.first("SELECT ver FROM hosts", row -> row.number(1)).orElseThrow());
    }

    private static String row(TestProcess process) {
        return process.database.read(
                s ->
                        s.first(
                                        "SELECT name, kind, public_key, machine_id FROM hosts",
                                        row ->
                                                String.join(
                                                        " ",
                                                        row.text("name"),
                                                        row.text("kind"),
                                                        row.text("public_key"),
                                                        row.text("machine_id")))
                                .orElseThrow());
    }
}
