package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.app.assembly.SystemTime;
import dev.skep.app.backup.Backup;
import dev.skep.app.backup.Restore;
import dev.skep.cli.config.Configuration;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.server.PostgresServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestoredFromABackupTest {
    @TempDir Path folder;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void a_runner_that_wrote_on_after_its_backup_gets_everything_back_and_continues()
            throws Exception {
        HubNode hub = opened(HubNode.open(folder.resolve("hub"), 0));
        RunnerNode a = opened(RunnerNode.open(folder.resolve("a"), "a", hub.url));
        RunnerNode b = opened(RunnerNode.open(folder.resolve("b"), "b", hub.url));
        String before = a.fleetRows.mail("before the backup");
        Path file = backup(TestSettings.runner(folder.resolve("a"), "a", List.of(hub.url)));
        String lost = a.fleetRows.mail("after the backup");
        String lostLog = a.fleetRows.log("a line after the backup");
        has(hub.fleetRows, lost);
        has(b.fleetRows, lost);
        Eventually.holds("log", () -> hub.fleetRows.ids("context_log").contains(lostLog));
        long positionBefore = hub.fleetRows.number("SELECT max(ver) FROM mail_messages");

        stop(a);
        restore(TestSettings.runner(folder.resolve("a"), "a", List.of(hub.url)), file);
        RunnerNode restored = opened(RunnerNode.open(folder.resolve("a"), "a", hub.url));
        assertThat(restored.id()).isEqualTo(a.id());
        String other = restored.fleetRows.mail("another timeline");

        for (FleetRows fleetRows : List.of(hub.fleetRows, b.fleetRows, restored.fleetRows)) {
            for (String mail : List.of(before, lost, other)) {
                has(fleetRows, mail);
            }
        }
        Eventually.holds(
                "its log is back", () -> restored.fleetRows.ids("context_log").contains(lostLog));
        // No stamp of the lost timeline is given out again.
        assertThat(
                        restored.fleetRows.number(
                                "SELECT ver FROM mail_messages WHERE id = '%s'".formatted(other)))
                .isGreaterThan(positionBefore);
        String back = b.fleetRows.mail("and in the other direction");
        has(restored.fleetRows, back);
    }

    @Test
    void a_hub_that_lost_what_came_after_its_backup_receives_it_again() throws Exception {
        HubNode hub = opened(HubNode.open(folder.resolve("hub"), 0));
        int port = hub.port();
        RunnerNode a = opened(RunnerNode.open(folder.resolve("a"), "a", hub.url));
        RunnerNode b = opened(RunnerNode.open(folder.resolve("b"), "b", hub.url));
        String before = a.fleetRows.mail("before the backup");
        has(hub.fleetRows, before);
        Path file = backup(TestSettings.hub(folder.resolve("hub"), port, ""));
        String after = a.fleetRows.mail("after the backup");
        has(b.fleetRows, after);

        stop(hub);
        restore(TestSettings.hub(folder.resolve("hub"), port, ""), file);
        HubNode restored = opened(HubNode.open(folder.resolve("hub"), port));

        has(restored.fleetRows, after);
        String later = b.fleetRows.mail("later");
        has(restored.fleetRows, later);
        has(a.fleetRows, later);
        assertThat(restored.fleetRows.ids("hosts")).containsAll(Set.of(a.id(), b.id()));
    }

    @Test
    void a_hub_on_a_server_moves_into_a_file_only_on_request() throws Exception {
        String server = PostgresServer.newDatabaseUrl();
        HubNode hub = opened(HubNode.open(folder.resolve("hub"), 0, server));
        int port = hub.port();
        RunnerNode a = opened(RunnerNode.open(folder.resolve("a"), "a", hub.url));
        String before = a.fleetRows.mail("before the backup");
        has(hub.fleetRows, before);
        Path file = backup(TestSettings.hub(folder.resolve("hub"), port, server));
        stop(hub);

        Configuration unsaid = TestSettings.hub(folder.resolve("new"), port, "");
        assertThatThrownBy(() -> restore(unsaid, file)).hasMessageContaining("--database");
        String inAFile = "file:" + folder.resolve("new/hub.db");
        restore(TestSettings.hub(folder.resolve("new"), port, inAFile), file);
        HubNode moved = opened(HubNode.open(folder.resolve("new"), port, inAFile));

        assertThat(moved.process.host().id()).isEqualTo(hub.process.host().id());
        has(moved.fleetRows, before);
        has(moved.fleetRows, a.fleetRows.mail("to the hub at its new place"));
    }

    private Path backup(Configuration configuration) throws IOException {
        Path file = folder.resolve("backup");
        try (OutputStream out = Files.newOutputStream(file)) {
            new Backup(configuration, "test", SystemTime.clock())
                    .writeTo(out, true, (database, table, done, of) -> {});
        }
        return file;
    }

    private static void restore(Configuration configuration, Path file) {
        new Restore(configuration, SystemTime.clock()).from(file, true, line -> {});
    }

    private static void has(FleetRows fleetRows, String mail) {
        Eventually.holds("mail arrives", () -> fleetRows.ids("mail_messages").contains(mail));
    }

    private <T extends AutoCloseable> T opened(T node) {
        open.push(node);
        return node;
    }

    private void stop(AutoCloseable node) throws Exception {
        open.remove(node);
        node.close();
    }
}
