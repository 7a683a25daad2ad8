package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.session.LogEntry;
import dev.skep.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A runner that is killed in the middle of a turn of a runtime. */
class KillingManagedAgentsTest {
    @TempDir Path dir;

    @BeforeEach
    void a_runtime() {
        ManagedFixture.runtime(dir, "fixture");
    }

    @Test
    void in_the_middle_of_a_tool_its_end_is_unknown_and_the_agent_is_told() throws Exception {
        ManagedFixture.agent(dir, "dora", "Hi.\n!say begun\n!run sleep 3600\n!say never", "");
        killAfter("dora TOOL_CALL: sleep 3600");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora REPLY: heard: ");
            test.recorder.await("dora is WAITING");
            assertThat(test.log("dora"))
                    .containsOnlyOnce("REPLY: begun", "TOOL_CALL: sleep 3600")
                    .containsSubsequence(
                            "TOOL_CALL: sleep 3600",
                            "TOOL_RESULT: [the runner stopped here; this may or may not have been done]",
                            "TURN_END: the turn was cut: the runner stopped",
                            "NOTICE: goes on after a restart of the runner");
            assertThat(ManagedFixture.toolStatuses(test, "dora")).containsExactly("unknown");
            assertThat(prompts(test))
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains("Your last turn was cut before its end", "> [");
        }
    }

    @Test
    void in_the_middle_of_a_permission_the_question_is_withdrawn() throws Exception {
        ManagedFixture.agent(
                dir, "dora", "Hi.\n!ask run touch made\n!say never", "protection: manual\n");
        killAfter("dora is AWAITING_APPROVAL: touch made");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora REPLY: heard: ");
            assertThat(test.log("dora")).contains("DECISION: denied by the runner");
            assertThat(test.runner.stores().approvals().pending(test.host.principal())).isEmpty();
            assertThat(ManagedFixture.toolStatuses(test, "dora")).containsExactly("unknown");
            assertThat(dir.resolve("work/dora/made")).doesNotExist();
        }
    }

    @Test
    void in_the_middle_of_a_stream_what_was_shown_is_there_once_and_in_order() throws Exception {
        ManagedFixture.agent(dir, "dora", "Hi.\n!burst 200000\n!say never", "");
        killAfter("dora REPLY: ");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora REPLY: heard: ");
            String said =
                    ManagedFixture.entries(test, "dora").stream()
                            .filter(entry -> entry.type() == LogEntry.Type.REPLY)
                            .map(LogEntry::message)
                            .filter(message -> !message.startsWith("heard"))
                            .collect(Collectors.joining());
            int last = said.split(" ", -1).length;
            String all =
                    IntStream.rangeClosed(1, last + 1)
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(" "));
            assertThat(said).hasSizeGreaterThan(60_000);
            assertThat(all).startsWith(said);
        }
    }

    @Test
    void between_turns_it_goes_on_without_a_word() throws Exception {
        ManagedFixture.agent(dir, "dora", "Hi.\n!say begun", "");
        killAfter("dora is WAITING");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
            assertThat(prompts(test)).hasSize(1);
            ManagedFixture.talk(test, "dora", "!history");
            test.recorder.await("dora REPLY: 3");
        }
    }

    private static List<String> prompts(TestRunner test) {
        return test.log("dora").stream().filter(line -> line.startsWith("PROMPT")).toList();
    }

    private void killAfter(String line) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                KillingManagedAgentsTest.class.getName(),
                                dir.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader out = process.inputReader()) {
            String read = out.readLine();
            while (read != null && !read.contains(line)) {
                read = out.readLine();
            }
            assertThat(read).as("the runner came to %s", line).isNotNull();
        } finally {
            process.destroyForcibly().waitFor();
        }
        Eventually.holds("its programs are gone", () -> ManagedFixture.processes(dir).isEmpty());
    }

    /** What the child runs: a whole runner that prints what it sees. */
    public static void main(String[] arguments) throws InterruptedException {
        TestRunner runner = TestRunner.start(Path.of(arguments[0]), new PlayedModels());
        int shown = 0;
        while (true) {
            runner.recorder.await(shown + 1, "");
            List<String> seen = runner.recorder.seen();
            for (; shown < seen.size(); shown++) {
                System.out.println(seen.get(shown).replace('\n', ' '));
            }
        }
    }
}
