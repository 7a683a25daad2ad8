package dev.skep.shell;

import static dev.skep.shell.TestShells.LONG;
import static dev.skep.shell.TestShells.finished;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every way a process tries to outlive its shell: in the background, deaf to signals, in a session
 * of its own with no parent left. Their names on the command line find them from outside.
 */
final class LeavingNothingBehindTest {
    private static final List<String> SURVIVORS =
            List.of(
                    "sleep %s1 &",
                    "(trap '' TERM HUP INT; exec sleep %s2) &",
                    "(setsid nohup sleep %s3 >/dev/null 2>&1 </dev/null &)",
                    "nohup setsid -f sleep %s4 >/dev/null 2>&1");

    @TempDir Path folder = Path.of("");

    static String spawn(String name) {
        return String.join("\n", SURVIVORS).formatted(name, name, name, name);
    }

    /** The processes whose last argument begins with the name, in whatever namespace. */
    static List<String> alive(String name) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(path -> path.getFileName().toString().matches("\\d+"))
                    .map(LeavingNothingBehindTest::commandLine)
                    .filter(line -> line.startsWith("sleep\0" + name))
                    .toList();
        }
    }

    /** The kernel sends no signal when a process of another namespace comes or goes. */
    static void awaitAlive(String name, int count) throws IOException {
        Eventually.holds(count + " are alive", () -> alive(name).size() == count);
        assertThat(alive(name)).hasSize(count);
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    @ParameterizedTest
    @EnumSource(TestShells.class)
    void closing_a_shell_ends_everything_it_spawned(TestShells kind) throws Exception {
        String name = "60" + ProcessHandle.current().pid();
        try (Shell shell = kind.open(folder)) {
            finished(shell.run(spawn(name), LONG));
            awaitAlive(name, 4);
        }
        assertThat(alive(name)).isEmpty();
    }

    /** The guard must not miss its runner's end, whatever it is doing just then. */
    @ParameterizedTest
    @EnumSource(TestShells.class)
    void a_shell_closed_as_soon_as_it_is_open_ends_by_itself(TestShells kind) throws Exception {
        BashShells shells = kind.shells(System.getenv());
        for (int i = 0; i < 25; i++) {
            Shell shell = shells.open(TestShells.settings(folder));
            shell.run("sleep 600", Duration.ZERO);
            long begin = System.nanoTime();
            shell.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("close %d", i)
                    .isLessThan(ShellProcess.CLOSING);
        }
    }

    @ParameterizedTest
    @EnumSource(TestShells.class)
    void a_runner_killed_without_warning_leaves_nothing(TestShells kind) throws Exception {
        String name = "61" + ProcessHandle.current().pid();
        Process runner =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                DoomedRunner.class.getName(),
                                kind.name(),
                                folder.toString(),
                                spawn(name))
                        .redirectErrorStream(true)
                        .start();
        try (BufferedReader lines = runner.inputReader()) {
            String line = lines.readLine();
            while (line != null && !line.equals("busy")) {
                line = lines.readLine();
            }
            assertThat(line).isEqualTo("busy");
            awaitAlive(name, 4);
        } finally {
            runner.destroyForcibly().waitFor();
        }
        awaitAlive(name, 0);
    }

    @ParameterizedTest
    @EnumSource(TestShells.class)
    void a_shell_whose_guard_is_killed_is_swept_and_starts_again(TestShells kind) throws Exception {
        String name = "62" + ProcessHandle.current().pid();
        try (Shell shell = kind.open(folder)) {
            finished(shell.run(spawn(name), LONG));
            awaitAlive(name, 4);
            List<ProcessHandle> own = ProcessHandle.current().children().toList();
            shell.run("sleep 600", Duration.ZERO);
            own.forEach(ProcessHandle::destroyForcibly);
            assertThat(shell.await(LONG)).isInstanceOf(ShellOutcome.Ended.class);
            // Nobody is left who could wait for the kernel to end the namespace.
            awaitAlive(name, 0);
            assertThat(finished(shell.run("echo fine", LONG))).isEqualTo("fine\n");
        }
    }
}
