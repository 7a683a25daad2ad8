package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.HostDatabases;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.store.migration.Migrations;
import dev.skep.sync.SyncSchema;
import dev.skep.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whose jobs of a host are, where they run, and that no agent has any of it. */
@Timeout(180)
class JobsAsTheRunnerTest {
    @TempDir private Path folder = Path.of("");
    private Lifecycle lifecycle = new Lifecycle();
    private final Lifecycle hubs = new Lifecycle();
    private Path data = Path.of("");
    private Path told = Path.of("");

    @BeforeEach
    void set() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
        // Where every user may write.
        told = Files.createDirectories(folder.resolve("told"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(told, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(data.resolve("allowed-commands"), "*\n");
        Files.createDirectories(data.resolve("agents"));
    }

    @AfterEach
    void end() {
        lifecycle.close();
        hubs.close();
    }

    @Test
    void a_job_runs_as_the_runners_user_where_the_host_says_so() throws Exception {
        LyingHub hub = hub();
        // As an earlier version left it.
        Files.createDirectories(data.resolve("work/jobs"));
        Files.writeString(data.resolve("work/jobs/kept"), "kept\n");
        start(hub, Map.of());
        assertThat(run(hub, "own")).contains("kept", data.resolve("work/.jobs").toString());
        assertThat(data.resolve("work/jobs")).doesNotExist();
        lifecycle.close();

        lifecycle = new Lifecycle();
        start(hub, Map.of("SKEP_JOBS_USER", "runner"));
        assertThat(run(hub, "runner"))
                .containsExactly(
                        Files.getAttribute(data, "unix:uid").toString(),
                        data.resolve("work/.jobs").toString(),
                        "kept");
    }

    @Test
    void no_agent_has_the_folder_of_jobs_whatever_it_is_called() throws Exception {
        LyingHub hub = hub();
        for (String name : List.of("jobs", "eve")) {
            Files.writeString(
                    data.resolve("agents/" + name + ".yaml"),
                    """
                    prompt: x
                    model: scripted:%s.script.yaml
                    folder: %s
                    start_commands: ["(id -u; pwd) > %s"]
                    """
                            .formatted(
                                    name,
                                    name.equals("eve") ? "work/.jobs" : "work/jobs",
                                    told.resolve(name)));
            Files.writeString(
                    data.resolve("agents/" + name + ".script.yaml"),
                    "steps:\n  - run: [mail wait]\n");
        }
        start(hub, Map.of());
        assertThat(hub.job("agent.start", Map.of("agent", "eve")))
                .startsWith("failed")
                .contains("'work/.jobs' is not for agents");
        Eventually.holds("it has begun", () -> !lines("jobs").isEmpty());
        List<String> job = run(hub, "job");
        assertThat(lines("jobs")).doesNotContain(data.resolve("work/.jobs").toString());
        if (System.getProperty("user.name").equals("root")) {
            assertThat(lines("jobs").getFirst()).isNotEqualTo(job.getFirst());
        }
    }

    @Test
    void a_folder_of_jobs_that_agents_or_everybody_may_change_is_not_used() throws Exception {
        LyingHub hub = hub();
        start(hub, Map.of());
        assertThat(run(hub, "before")).isNotEmpty();
        Files.setPosixFilePermissions(
                data.resolve("work/.jobs"), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(hub.job("shell", Map.of("command", "touch " + told.resolve("after"))))
                .startsWith("failed")
                .contains("agents or everybody may write");
        assertThat(told.resolve("after")).doesNotExist();
    }

    /** Has a job tell its user, its folder, and what is kept there. */
    private List<String> run(LyingHub hub, String name) {
        String command = "(id -u; pwd; cat kept 2>/dev/null; true) > " + told.resolve(name);
        assertThat(hub.job("shell", Map.of("command", command))).startsWith("succeeded");
        return lines(name);
    }

    private List<String> lines(String name) {
        try {
            Path file = told.resolve(name);
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private LyingHub hub() {
        return hubs.own(
                "hub",
                new LyingHub(
                        SyncSchema.of(HostDatabases.syncTables(), Migrations.shipped().latest())));
    }

    private void start(LyingHub hub, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("HUB_URLS", hub.url);
        environment.put("SKEP_ALLOW", "steer,jobs");
        new Assembly(TestSettings.runnerOf(data, environment), lifecycle, data, "test")
                .open(Composition.run(false, false), Terminal.none());
    }
}
