package dev.skep.shell;

import static dev.skep.shell.TestShells.LONG;
import static dev.skep.shell.TestShells.finished;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The guard has the runner's rights until it has dropped them. Variables that an agent's file names
 * and that make programs run code of the agent's choice take effect after that only.
 */
final class KeepingTheGuardFromTheAgentTest {
    @TempDir Path temporary = Path.of("");
    private Path seen = Path.of("");

    @BeforeEach
    void a_folder_everybody_may_write_to() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root has rights to drop");
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        seen = Files.createDirectory(temporary.resolve("seen"));
        Files.setPosixFilePermissions(seen, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    /** Notes that it ran, in a file of whoever runs it. */
    private String note(String name) {
        return "touch " + seen.resolve(name) + ".$$";
    }

    private Shell open(boolean walled, Map<String, String> environment) {
        Path work = temporary.resolve("work");
        return BashShells.with(
                        System.getenv(),
                        new SecureRandom(),
                        new Isolation.OwnUser(AgentUsers.FIRST, walled))
                .open(
                        new ShellSettings(
                                "alice", work.resolve("alice"), environment, List.of(work), 4000));
    }

    /** The users who ran what the agent named. */
    private Set<Object> users() throws IOException {
        Set<Object> users = new HashSet<>();
        try (Stream<Path> notes = Files.list(seen)) {
            for (Path note : notes.toList()) {
                users.add(Files.getAttribute(note, "unix:uid"));
            }
        }
        return users;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_file_that_each_bash_reads_first_is_read_by_the_agents_own_only(boolean walled)
            throws Exception {
        Path file = Files.writeString(temporary.resolve("first.sh"), note("read"));
        try (Shell shell = open(walled, Map.of("BASH_ENV", file.toString()))) {
            finished(shell.run("bash -c true", LONG));
        }
        assertThat(users()).isEqualTo(Set.of(AgentUsers.FIRST));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void programs_of_the_agents_own_path_are_run_by_the_agent_only(boolean walled)
            throws Exception {
        Path programs = Files.createDirectory(temporary.resolve("bin"));
        for (String name :
                List.of("mount", "setpriv", "mkfifo", "chown", "rm", "rmdir", "grep", "sleep")) {
            String real = "PATH=%s exec %s \"$@\"".formatted(System.getenv("PATH"), name);
            Path program =
                    Files.writeString(
                            programs.resolve(name),
                            "#!/bin/bash\n%s\n%s\n".formatted(note(name), real));
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        String path = programs + ":" + System.getenv("PATH");
        try (Shell shell = open(walled, Map.of("PATH", path))) {
            assertThat(finished(shell.run("sleep 0; echo $PATH", LONG))).isEqualTo(path + "\n");
        }
        assertThat(users()).isEqualTo(Set.of(AgentUsers.FIRST));
    }

    /** What LD_PRELOAD would load is loaded by the same programs that LD_DEBUG speaks of. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_the_linker_is_told_it_is_told_for_the_agents_programs_only(boolean walled)
            throws Exception {
        Map<String, String> linker =
                Map.of("LD_DEBUG", "files", "LD_DEBUG_OUTPUT", seen.resolve("linker").toString());
        try (Shell shell = open(walled, linker)) {
            finished(shell.run("env true", LONG));
        }
        assertThat(users()).isEqualTo(Set.of(AgentUsers.FIRST));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_function_in_a_variable_never_stands_for_a_program_of_the_guard(boolean walled)
            throws Exception {
        String function = "() { %s; }".formatted(note("function"));
        Map<String, String> functions =
                Map.of(
                        "BASH_FUNC_mount%%", function,
                        "BASH_FUNC_kill%%", function,
                        "BASH_FUNC_read%%", function,
                        "BASH_FUNC_chown%%", function);
        try (Shell shell = open(walled, functions)) {
            finished(shell.run("true", LONG));
        }
        assertThat(users()).isEmpty();
    }

    @Test
    void the_agents_variables_arrive_as_they_are_and_its_mark_stays() throws Exception {
        Map<String, String> odd =
                Map.of(
                        "LINES_OF", "a\nb 'c' \"d\" $e `f` \\",
                        "EMPTY", "",
                        "IFS", "x",
                        "UID", "0",
                        "POSIXLY_CORRECT", "1",
                        "SKEP_SHELL", "none",
                        "SKEP_VARIABLE_3", "KEY=none");
        try (Shell shell = open(true, odd)) {
            String command = "printf '%s.' \"$LINES_OF\" \"${EMPTY-missing}\" \"$UID\"; env";
            assertThat(finished(shell.run(command, LONG)))
                    .startsWith("a\nb 'c' \"d\" $e `f` \\.." + AgentUsers.FIRST + ".")
                    .doesNotContain("SKEP_VARIABLE", "SKEP_SHELL=none", "SKEP_EACH", "KEY=none");
        }
    }
}
