package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.kernel.event.FleetEvent;
import dev.skep.shell.Isolation;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody who may ask for jobs tries to have a host do what it does not allow. */
class WhatJobsMayAskForTest {
    /**
     * Each would run something else, or run it otherwise, in the hands of bash or what it starts.
     */
    private static final Map<String, String> TRICKS =
            Map.ofEntries(
                    Map.entry("BASH_ENV", "$(touch ran; id >&2)"),
                    Map.entry("BASH_FUNC_uptime%%", "() { touch ran; id; }"),
                    Map.entry("LD_PRELOAD", "/tmp/evil.so"),
                    Map.entry("PATH", "/tmp/evil:/usr/bin:/bin"),
                    Map.entry("GIT_SSH_COMMAND", "touch ran"),
                    Map.entry("PYTHONSTARTUP", "/tmp/evil.py"),
                    Map.entry("IFS", "/"),
                    Map.entry("ENV", "$(touch ran)"),
                    Map.entry("SHELLOPTS", "xtrace"),
                    Map.entry("PS4", "$(touch ran)"),
                    Map.entry("HOME", "/tmp/evil"),
                    Map.entry("HARMLESS", "but not listed"),
                    Map.entry("SKEP_SERVER_INSTANCE", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
                    Map.entry("SKEP_GUARD", "touch ran"),
                    Map.entry("SKEP_COMMAND", "touch ran"),
                    Map.entry("A=B", "touch ran"),
                    Map.entry("", "touch ran"),
                    Map.entry("TWO\nLINES", "touch ran"));

    @TempDir Path folder;
    private WorkerFixture fixture;

    @BeforeEach
    void open() throws IOException {
        Files.writeString(folder.resolve("allowed-commands"), "uptime\necho *\nenv\n");
        fixture = new WorkerFixture(folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_variable_the_host_does_not_list_is_refused_by_name_and_nothing_runs() throws Exception {
        for (Map.Entry<String, String> trick : TRICKS.entrySet()) {
            JsonFields job =
                    shell("uptime", Map.of("env", Map.of(trick.getKey(), trick.getValue())));
            FleetEvent.JobRunDone done = fixture.awaitDone();
            assertThat(done.status()).as(trick.getKey()).isEqualTo("failed");
            assertThat(error(job)).contains(trick.getKey().replace('\n', '?'));
            assertThat(fixture.output(done)).as(trick.getKey()).isEmpty();
        }
        assertThat(fixture.commands.home().resolve("ran")).doesNotExist();
    }

    @Test
    void the_refusal_of_many_and_long_names_is_one_short_line() throws Exception {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 500; i++) {
            many.put("N" + i + "X".repeat(500), "");
        }
        JsonFields job = shell("uptime", Map.of("env", many));
        fixture.awaitDone();
        assertThat(error(job))
                .hasSizeLessThan(800)
                .contains("add it to allowed-env")
                .doesNotContain("\n");
    }

    @Test
    void what_the_host_lists_passes_as_it_is() throws Exception {
        allowEnv("# what the site needs", "", "GIVEN");
        String value = "$(touch ran) `touch ran` 'q' \"d\" \\ two\nlines";
        shell("env", Map.of("env", Map.of("GIVEN", value)));
        assertThat(fixture.output(fixture.awaitDone())).contains("GIVEN=" + value + "\n");
        assertThat(fixture.commands.home().resolve("ran")).doesNotExist();
    }

    @Test
    void what_is_no_name_and_what_is_ours_never_passes_even_if_listed() throws Exception {
        allowEnv("BASH_FUNC_uptime%%", "SKEP_JOB", "SKEP_GUARD", "A=B");
        for (String name : new String[] {"BASH_FUNC_uptime%%", "SKEP_JOB", "SKEP_GUARD", "A=B"}) {
            JsonFields job = shell("uptime", Map.of("env", Map.of(name, "() { touch ran; }")));
            assertThat(fixture.awaitDone().status()).as(name).isEqualTo("failed");
            assertThat(error(job)).contains(name, "leave it out");
        }
    }

    /** The host may list such a name; even then it must not reach what still has all rights. */
    @Test
    void a_listed_variable_that_runs_something_does_so_as_the_jobs_own_user() throws Exception {
        assumeTrue(fixture.commands.isolation() instanceof Isolation.OwnUser);
        allowEnv("BASH_ENV");
        shell("echo done", Map.of("env", Map.of("BASH_ENV", "$(id -u >&2)")));
        String printed = fixture.output(fixture.awaitDone());
        assertThat(printed.lines().filter(line -> line.matches("\\d+")))
                .hasSize(1)
                .doesNotContain("0");
    }

    @Test
    void a_star_allows_no_second_command() throws Exception {
        for (String command :
                new String[] {"echo a\nid", "echo a\rid", "echo $(id)", "echo a;id", "echo\0id"}) {
            JsonFields job = shell(command, Map.of());
            FleetEvent.JobRunDone done = fixture.awaitDone();
            assertThat(done.status()).as(command).isEqualTo("failed");
            assertThat(fixture.output(done)).isEmpty();
            assertThat(error(job)).containsAnyOf("does not allow this command", "NUL");
        }
    }

    @Test
    void of_the_data_dir_a_job_has_its_own_folder_only() throws Exception {
        Path home = fixture.commands.home();
        Files.createDirectories(home.resolve("sub"));
        Files.createDirectories(folder.resolve("work/alice"));
        Files.createSymbolicLink(home.resolve("link"), folder);
        for (String cwd :
                new String[] {
                    "..",
                    "sub/../../work/alice",
                    "../../../../../../etc",
                    folder.toString(),
                    folder.resolve("work/alice").toString(),
                    folder.resolve("home/../servers").toString(),
                    "link",
                    "link/work/alice"
                }) {
            JsonFields job = shell("uptime", Map.of("cwd", cwd));
            assertThat(fixture.awaitDone().status()).as(cwd).isEqualTo("failed");
            assertThat(error(job)).as(cwd).contains("jobs do not run in " + cwd);
        }
        JsonFields job = shell("uptime", Map.of("cwd", "a\0b"));
        assertThat(fixture.awaitDone().status()).isEqualTo("failed");
        assertThat(error(job)).contains("cwd is no path");
        shell("echo here", Map.of("cwd", "sub"));
        assertThat(fixture.output(fixture.awaitDone())).isEqualTo("here\n");
    }

    @Test
    void no_job_starts_where_agents_or_everybody_can_put_files() throws Exception {
        Path open = Files.createTempDirectory("skep-open-");
        try {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
            JsonFields job = shell("uptime", Map.of("cwd", open.toString()));
            assertThat(fixture.awaitDone().status()).isEqualTo("failed");
            assertThat(error(job)).contains("everybody may write to");
        } finally {
            Files.delete(open);
        }
    }

    @Test
    void a_job_sees_neither_the_data_dir_nor_the_runner() throws Exception {
        assumeTrue(
                fixture.commands.isolation().walled(), fixture.commands.isolation()::describeJobs);
        Files.writeString(folder.resolve("allowed-commands"), "*\n");
        Files.createDirectories(folder.resolve("work/alice"));
        for (String secret : new String[] {"runner.db", "runner.key", ".env", "work/alice/note"}) {
            Files.writeString(folder.resolve(secret), "top-secret");
            // As lax as can be: what hides it must not be its own permissions.
            Files.setPosixFilePermissions(
                    folder.resolve(secret), PosixFilePermissions.fromString("rw-rw-rw-"));
        }
        shell(
                """
                cat %1$s/runner.db %1$s/runner.key %1$s/.env %1$s/work/alice/note
                cat ../.env ../work/alice/note
                cat /proc/%2$d/environ
                for p in /proc/[0-9]*; do cat $p/root%1$s/.env $p/cwd/../.env; done
                umount %1$s; cat %1$s/.env
                ls -A %1$s
                echo mine > note; cat note
                echo by name > /dev/stderr
                """
                        .formatted(folder, ProcessHandle.current().pid()),
                Map.of());
        FleetEvent.JobRunDone done = fixture.awaitDone();
        assertThat(done.status()).isEqualTo("succeeded");
        assertThat(fixture.output(done))
                .contains("home\n", "mine\n", "by name\n")
                .doesNotContain("top-secret", "PATH=");
        assertThat(fixture.commands.home().resolve("note")).hasContent("mine\n");
    }

    @Test
    void a_job_has_a_user_of_its_own_whose_folder_holds_what_was_there_before() throws Exception {
        assumeTrue(fixture.commands.isolation() instanceof Isolation.OwnUser);
        fixture.close();
        Path old = folder.resolve("old");
        Path before = Files.createDirectories(old.resolve("home/site"));
        Files.writeString(before.resolve("page"), "old");
        Files.setPosixFilePermissions(
                before.resolve("page"), PosixFilePermissions.fromString("rw-------"));
        fixture = new WorkerFixture(old);
        shell("id -u; id -G; cat site/page; echo new > site/page", Map.of());
        FleetEvent.JobRunDone done = fixture.awaitDone();
        assertThat(fixture.output(done)).matches("6\\d{4}\n6\\d{4}\nold");
        assertThat(before.resolve("page")).hasContent("new\n");
    }

    private void allowEnv(String... lines) throws IOException {
        Files.writeString(folder.resolve("allowed-env"), String.join("\n", lines) + "\n");
    }

    private JsonFields shell(String command, Map<String, ?> more) {
        Map<String, Object> payload = new HashMap<>(more);
        payload.put("command", command);
        return fixture.create(Map.of("hostId", "h1", "type", "shell", "payload", payload));
    }

    private String error(JsonFields job) {
        return fixture.shown(job)
                .object("run")
                .orElseThrow()
                .object("result")
                .orElseThrow()
                .text("error");
    }
}
