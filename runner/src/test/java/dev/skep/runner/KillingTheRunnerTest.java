package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.table.ConfiguredModels;
import dev.skep.models.table.ModelTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents at full speed in a runner of its own process, killed without warning. */
class KillingTheRunnerTest {
    /** {@code -Dskep.kills=20} is the long form. */
    private static final int KILLS = Integer.getInteger("skep.kills", 2);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir Path dir;

    /** In the environment of every process of the agents' shells, and of nothing else. */
    private String mark = "";

    @BeforeEach
    void three_agents() throws IOException {
        mark = "mark-%d-%d".formatted(ProcessHandle.current().pid(), System.nanoTime());
        agent(
                "alice",
                """
                start_commands: [echo begun]
                """,
                """
                  - when: { last: "noted=(\\\\d+)" }
                    run: ["mail send bob Ask {{1}}", mail wait 1]
                  - when: { last: "Subject: (\\\\S+)" }
                    run: ['echo {{1}} >> noted; sleep 0.01; echo "noted=$(wc -l < noted)"']
                  - when: { last: New mail }
                    run: [mail read]
                  - run: ["mail send bob Ask again", mail wait 1]
                """);
        agent(
                "bob",
                "",
                """
                  - when: { last: "clock=(\\\\S+)" }
                    run: ["mail send alice {{1}} here", mail wait]
                  - when: { last: "Subject: " }
                    run: ['echo "clock=$(date +%s%N)"']
                  - when: { last: New mail }
                    run: [mail read]
                  - run: [mail wait]
                """);
        agent(
                "carol",
                "",
                """
                  - when: { turn: 0 }
                    run: ["(setsid sleep 3600 &) ; sleep 3600"]
                  - run: [session wait]
                """);
    }

    private void agent(String name, String more, String steps) throws IOException {
        TestRunner.agent(
                dir,
                name,
                "prompt: x\nmodel: scripted:%s.script.yaml\nenv: { MARK: %s }\n%s"
                        .formatted(name, mark, more));
        Files.writeString(dir.resolve("agents/%s.script.yaml".formatted(name)), "steps:\n" + steps);
    }

    @Test
    void killed_in_the_middle_it_leaves_no_process_and_goes_on_at_the_next_start()
            throws Exception {
        Process process = childRunner();
        try (BufferedReader out = process.inputReader()) {
            awaitLine(out, "alice OUTPUT: noted=2");
            assertThat(left()).isNotEmpty();
        } finally {
            process.destroyForcibly().waitFor();
        }
        awaitNothingLeft();
        try (TestRunner test = TestRunner.start(dir, models())) {
            test.recorder.await("alice NOTICE: goes on after a restart");
            test.recorder.await(
                    "carol OUTPUT: [the runner stopped here; this command may or may not have run]");
            test.recorder.await("alice OUTPUT: noted=");
            assertThat(test.log("alice")).containsOnlyOnce("OUTPUT: begun");
        }
    }

    @Test
    void killed_at_any_moment_it_leaves_no_process_and_no_half_written_state() throws Exception {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            Process process = childRunner();
            try (BufferedReader out = process.inputReader()) {
                // A third of the time somewhere in the start, else somewhere in the work.
                if (random.nextInt(3) == 0) {
                    boolean unused = process.waitFor(random.nextInt(1500), TimeUnit.MILLISECONDS);
                } else {
                    skipLines(out, random.nextInt(80));
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
            awaitNothingLeft();
            assertThat(halfWritten()).as("seed %d, kill %d", seed, kill).isEmpty();
        }
        try (TestRunner test = TestRunner.start(dir, models())) {
            test.recorder.await("alice OUTPUT: noted=");
            assertThat(test.log("alice")).containsOnlyOnce("COMMAND: echo begun");
        }
    }

    /** What a transaction cut in two would leave; empty is good. */
    private List<String> halfWritten() {
        Path file = dir.resolve("runner.db");
        if (Files.notExists(file)) {
            return List.of();
        }
        try (Database database = Databases.open(new DatabaseUrl.Sqlite(file), TestRunner.CLOCK)) {
            return database.read(
                    snapshot ->
                            Stream.of(
                                            "SELECT integrity_check AS problem FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
                                            """
                                            SELECT 'mail for nobody ' || id AS problem FROM mail_messages m WHERE NOT EXISTS
                                                (SELECT 1 FROM mail_recipients r WHERE r.message_id = m.id)
                                            """,
                                            """
                                            SELECT 'replies and costs differ for ' || user_id AS problem FROM context_log l
                                            WHERE type = 'reply' GROUP BY user_id HAVING count(*) <>
                                                (SELECT count(*) FROM costs c WHERE c.user_id = l.user_id)
                                            """,
                                            """
                                            SELECT 'no session for ' || id AS problem FROM context_log l WHERE NOT EXISTS
                                                (SELECT 1 FROM run_session s WHERE s.user_id = l.user_id
                                                    AND s.run_id = l.run_id AND s.session_id = l.session_id)
                                            """)
                                    .flatMap(
                                            sql ->
                                                    snapshot
                                                            .list(sql, row -> row.text("problem"))
                                                            .stream())
                                    .toList());
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
                () -> ModelTable.read(Path.of("no-such-file")),
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

    private static void skipLines(BufferedReader out, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            assertThat(out.readLine()).isNotNull();
        }
    }

    /** The shell's guard sees its runner die and ends what is left; that takes a moment. */
    private void awaitNothingLeft() throws Exception {
        // One that dies may have started another since the last look.
        for (List<ProcessHandle> left = left(); !left.isEmpty(); left = left()) {
            for (ProcessHandle process : left) {
                process.onExit().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    private List<ProcessHandle> left() {
        return ProcessHandle.allProcesses()
                .filter(process -> environment(process).contains("MARK=" + mark))
                .toList();
    }

    private static String environment(ProcessHandle process) {
        try {
            return Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "environ"),
                    StandardCharsets.ISO_8859_1);
        } catch (IOException goneOrForeign) {
            return "";
        }
    }
}
