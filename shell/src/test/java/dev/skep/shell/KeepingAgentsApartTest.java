package dev.skep.shell;

import static dev.skep.shell.TestShells.LONG;
import static dev.skep.shell.TestShells.finished;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two agents of one runner that is root, with and without namespaces. */
final class KeepingAgentsApartTest {
    @TempDir Path temporary = Path.of("");

    @BeforeEach
    void reachable() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can change users");
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static BashShells shells(boolean walled) {
        return BashShells.with(
                System.getenv(),
                new SecureRandom(),
                new Isolation.OwnUser(AgentUsers.FIRST, walled));
    }

    private Shell open(BashShells shells, String agent) {
        return shells.open(
                new ShellSettings(
                        agent, work(agent), Map.of(), List.of(temporary.resolve("work")), 4000));
    }

    private Path work(String agent) {
        return temporary.resolve("work").resolve(agent);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void one_can_neither_read_anothers_files_nor_touch_its_processes(boolean walled)
            throws Exception {
        BashShells shells = shells(walled);
        try (Shell alice = open(shells, "alice");
                Shell bob = open(shells, "bob")) {
            Path elsewhere = Files.createTempFile("skep-", ".note");
            Files.delete(elsewhere);
            String started =
                    "echo bobs-secret | tee note > %s; KEY=bobs-secret sleep 600 & echo \"pid=$!\""
                            .formatted(elsewhere);
            String pid = finished(bob.run(started, LONG)).replaceAll("(?s).*pid=", "").strip();
            String attempts =
                    """
                    cat ../bob/note %2$s; ls -A ../bob; echo mine > ../bob/note
                    cat /proc/%1$s/environ | tr '\\0' '\\n'
                    kill -9 %1$s
                    """
                            .formatted(pid, elsewhere);
            assertThat(finished(alice.run(attempts, LONG))).doesNotContain("bobs-secret", "note\n");
            assertThat(finished(bob.run("cat note; kill -0 " + pid + " && echo alive", LONG)))
                    .isEqualTo("bobs-secret\nalive\n");
            Files.delete(elsewhere);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_shell_cannot_learn_how_its_reports_are_framed(boolean walled) throws Exception {
        try (Shell shell = open(shells(walled), "alice")) {
            assertThat(
                            finished(
                                    shell.run(
                                            "env; cat /proc/[0-9]*/environ | tr '\\0' '\\n'; tr '\\0' ' ' < /proc/$PPID/cmdline",
                                            LONG)))
                    .contains("skep-alice")
                    .doesNotContain("SKEP_TOKEN=", "SKEP_GUARD=");
        }
    }

    @Test
    void an_agent_keeps_its_user_over_restarts_and_gets_its_own_where_one_was_shared()
            throws Exception {
        for (String agent : List.of("alice", "bob")) {
            Files.createDirectories(work(agent));
            Files.setAttribute(work(agent), "unix:uid", AgentUsers.FIRST);
        }
        String before = users(shells(true));
        assertThat(before.split("\n", -1)).doesNotHaveDuplicates();
        assertThat(users(shells(true))).isEqualTo(before);
    }

    private String users(BashShells shells) throws Exception {
        try (Shell alice = open(shells, "alice");
                Shell bob = open(shells, "bob")) {
            return finished(alice.run("id -u", LONG)) + finished(bob.run("id -u", LONG)).strip();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void agents_with_the_same_start_folder_can_change_each_others_files(boolean walled)
            throws Exception {
        BashShells shells = shells(walled);
        Path shared = temporary.resolve("project");
        try (Shell alice = sharing(shells, "alice", shared);
                Shell bob = sharing(shells, "bob", shared)) {
            finished(alice.run("mkdir src; echo a > src/list", LONG));
            finished(bob.run("echo b >> src/list; mkdir src/more", LONG));
            assertThat(finished(alice.run("rmdir src/more; cat src/list", LONG)))
                    .isEqualTo("a\nb\n");
        }
    }

    @Test
    void nothing_of_the_runner_changes_hands_or_modes_for_an_agent() throws Exception {
        BashShells shells = shells(true);
        Path data = temporary.resolve("data");
        Path agents = Files.createDirectories(data.resolve("agents"));
        Path key = Files.writeString(data.resolve("runner.key"), "secret");
        Files.writeString(agents.resolve("alice.yaml"), "mine");
        Files.createDirectories(data.resolve("work"));
        Files.createSymbolicLink(data.resolve("work/link"), agents);
        Files.createSymbolicLink(data.resolve("work/bob"), agents);
        Map<Path, String> before = modes(data, agents, key, agents.resolve("alice.yaml"));
        for (String folder : List.of("agents", ".", "agents/made", "work/link", "work/link/made")) {
            assertThatThrownBy(() -> starting(shells, data, "alice", folder))
                    .as(folder)
                    .isInstanceOf(SkepException.class);
        }
        // Whose own folder is a link gets no more than that.
        starting(shells, data, "bob", "work/bob");
        assertThat(modes(data, agents, key, agents.resolve("alice.yaml"))).isEqualTo(before);
        assertThat(agents.resolve("made")).doesNotExist();
    }

    /** An agent may change the folder it shares, and with it the way to another's start folder. */
    @ParameterizedTest
    @ValueSource(strings = {"data/work/shared", "project"})
    void a_link_that_an_agent_puts_on_the_way_gives_no_folder_of_the_system_away(String place)
            throws Exception {
        BashShells shells = shells(true);
        Path data = temporary.resolve("data");
        Path shared = temporary.resolve(place);
        Path etc = Files.createDirectories(temporary.resolve("etc"));
        Path cron = Files.createDirectories(etc.resolve("cron.d"));
        starting(shells, data, "alice", shared.toString());
        Map<Path, String> before = modes(etc, cron);
        Path way = shared.resolve("way");
        var over = new AtomicBoolean();
        Thread alice = Thread.ofPlatform().start(() -> swapping(way, etc, over));
        try {
            for (int i = 0; i < 300 && modes(etc, cron).equals(before); i++) {
                for (String name : List.of("cron.d", "made")) {
                    try {
                        starting(shells, data, "bob", way.resolve(name).toString());
                    } catch (SkepException refused) {
                        // As it should be while the link is there.
                    }
                }
            }
        } finally {
            over.set(true);
            alice.join();
        }
        assertThat(modes(etc, cron)).isEqualTo(before);
        assertThat(etc.resolve("made")).doesNotExist();
    }

    /** Puts a link there and takes it, or what was made instead, away again. */
    private static void swapping(Path way, Path target, AtomicBoolean over) {
        while (!over.get()) {
            try {
                if (Files.isSymbolicLink(way)) {
                    Files.delete(way);
                } else if (Files.exists(way)) {
                    Files.deleteIfExists(way.resolve("cron.d"));
                    Files.deleteIfExists(way.resolve("made"));
                    Files.delete(way);
                }
                Files.createSymbolicLink(way, target);
            } catch (IOException busy) {
                Thread.onSpinWait();
            }
        }
    }

    private static void starting(BashShells shells, Path data, String agent, String folder) {
        Path own = data.resolve("work").resolve(agent);
        shells.open(
                        new ShellSettings(
                                agent, own, data.resolve(folder), Map.of(), List.of(data), 4000))
                .close();
    }

    private static Map<Path, String> modes(Path... paths) throws IOException {
        Map<Path, String> modes = new HashMap<>();
        for (Path path : paths) {
            modes.put(
                    path,
                    "%s:%s %s"
                            .formatted(
                                    Files.getAttribute(path, "unix:uid"),
                                    Files.getAttribute(path, "unix:gid"),
                                    Files.getPosixFilePermissions(path)));
        }
        return modes;
    }

    private Shell sharing(BashShells shells, String agent, Path folder) {
        return shells.open(
                new ShellSettings(
                        agent,
                        work(agent),
                        folder,
                        Map.of(),
                        List.of(temporary.resolve("work")),
                        4000));
    }
}
