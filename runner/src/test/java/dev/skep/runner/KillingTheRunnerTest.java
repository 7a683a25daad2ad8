package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.runner.demo.FirstAgents;
import dev.skep.runner.model.table.ConfiguredModels;
import dev.skep.runner.model.table.ModelTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KillingTheRunnerTest {
    @TempDir Path dir;

    @Test
    void killed_in_the_middle_it_leaves_no_process_and_goes_on_at_the_next_start()
            throws Exception {
        FirstAgents.writeIfNew(dir.resolve("agents"));
        String mark = "3%d".formatted(10_000_000 + ProcessHandle.current().pid());
        TestRunner.agent(dir, "carol", "prompt: x\nmodel: scripted:carol.script.yaml\n");
        Files.writeString(
                dir.resolve("agents/carol.script.yaml"),
                """
                steps:
                  - when: { turn: 0 }
                    run: ["(sleep %1$s &) ; sleep %1$s"]
                  - run: [session wait]
                """
                        .formatted(mark));
        Process process = childRunner();
        try (BufferedReader out = process.inputReader()) {
            awaitLine(out, "alice OUTPUT: 1 times noted");
            assertThat(sleepers(mark)).hasSize(2);
            process.destroyForcibly().waitFor();
        }
        awaitGone(mark);
        try (TestRunner test = TestRunner.start(dir, models())) {
            test.recorder.await("alice NOTICE: goes on after a restart");
            test.recorder.await(
                    "carol OUTPUT: [the runner stopped here; this command may or may not have run]");
            test.recorder.await("alice OUTPUT: 3 times noted");
            assertThat(test.log("alice")).containsOnlyOnce("COMMAND: uname -sm");
        }
    }

    /** What the child runs: a whole runner that prints what it sees. */
    public static void main(String[] arguments) throws InterruptedException {
        Path dir = Path.of(arguments[0]);
        TestRunner runner = TestRunner.start(dir, models());
        int shown = 0;
        while (true) {
            runner.recorder.await(shown + 1, "");
            List<String> seen = runner.recorder.seen();
            for (; shown < seen.size(); shown++) {
                System.out.println(seen.get(shown).replace('\n', ' '));
            }
        }
    }

    private static ConfiguredModels models() {
        return new ConfiguredModels(
                ModelTable.read(Path.of("no-such-file")),
                name -> Optional.empty(),
                TestRunner.CLOCK);
    }

    private Process childRunner() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KillingTheRunnerTest.class.getName(),
                        dir.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitLine(BufferedReader out, String text) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.contains(text)) {
                return;
            }
        }
        throw new AssertionError("the runner ended before it printed " + text);
    }

    /** The shell's guard sees its runner die and ends what is left; that takes a moment. */
    private static void awaitGone(String mark) throws Exception {
        for (ProcessHandle sleeper : sleepers(mark)) {
            sleeper.onExit().get(Duration.ofSeconds(10).toMillis(), TimeUnit.MILLISECONDS);
        }
        assertThat(sleepers(mark)).isEmpty();
    }

    private static List<ProcessHandle> sleepers(String mark) {
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process).equals("sleep\0" + mark + "\0"))
                .toList();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException gone) {
            return "";
        }
    }
}
