package dev.skep.runner.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import dev.skep.testkit.acp.FixtureAgent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BadAgentsTest {
    private static final String TOO_COMPLEX =
            "a message of the agent has too many parts or is nested too deeply";

    @TempDir Path folder;

    @Test
    void another_version_of_the_protocol_is_a_clear_error() throws Exception {
        try (var agent = new RunningFixture(folder, "version=7")) {
            AcpException failure =
                    RawAgent.failure(
                            RawAgent.begun(() -> agent.connection.initialize("test", "1")));
            assertThat(failure.failure()).isEqualTo(AcpException.Failure.VERSION);
            assertThat(failure)
                    .hasMessage(
                            "the agent speaks version 7 of the Agent Client Protocol, and Skep version 1");
            assertThat(agent.ending()).isEqualTo(failure.getMessage());
        }
    }

    @Test
    void an_agent_that_wants_a_sign_in_first_is_told_from_others() throws Exception {
        try (var agent = new RunningFixture(folder, "sign-in")) {
            AcpException failure = RawAgent.failure(RawAgent.begun(agent::session));
            assertThat(failure.failure()).isEqualTo(AcpException.Failure.SIGN_IN);
            assertThat(failure).hasMessageContaining("Authentication required");
        }
    }

    @Test
    void silence_is_noticed_and_leaves_the_connection_open() throws Exception {
        try (var agent = new RawAgent(RawAgent.SMALL)) {
            AcpException failure =
                    RawAgent.failure(
                            RawAgent.begun(() -> agent.connection.initialize("test", "1")));
            assertThat(failure.failure()).isEqualTo(AcpException.Failure.SILENT);
            assertThat(failure).hasMessage("initialize: no answer within 0.2 seconds");
            for (String method : List.of("session/new", "session/load", "session/set_mode")) {
                assertThat(RawAgent.failure(RawAgent.begun(() -> ask(agent, method))))
                        .hasMessageStartingWith(method + ": no answer");
            }
            // An answer that comes too late is no answer to anything else.
            agent.writes("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"sessionId\":\"late\"}}");
            Eventually.holds("it is passed over", () -> agent.connection.ignored() == 1);
            assertThat(agent.closed).isNotDone();
        }
    }

    private static Object ask(RawAgent agent, String method)
            throws AcpException, InterruptedException {
        switch (method) {
            case "session/new" -> agent.connection.newSession("/", List.of());
            case "session/load" -> agent.connection.loadSession("s", "/", List.of());
            default -> agent.connection.setMode("s", "m");
        }
        return "answered";
    }

    @Test
    void lines_that_are_no_messages_are_counted_and_the_first_are_kept() throws Exception {
        try (var agent = new RunningFixture(folder, "garbage=12")) {
            String session = agent.session();
            agent.connection.prompt(session, "!say one\n!garbage 3\n!say two");

            assertThat(agent.said()).isEqualTo("onetwo");
            assertThat(agent.connection.garbage()).isEqualTo(15);
            assertThat(agent.connection.garbageSample())
                    .hasSize(10)
                    .startsWith("Welcome to the fixture, line 0");
        }
    }

    @Test
    void too_many_of_them_end_the_connection() throws Exception {
        try (var agent = new RawAgent(RawAgent.SMALL)) {
            FutureTask<PromptResult> turn =
                    RawAgent.begun(() -> agent.connection.prompt("s", "go"));
            agent.reads();
            for (String garbage :
                    List.of("hello", "[1]", "7", "{", "\"x\"", "", "   ", "\u0001{}")) {
                agent.writes(garbage);
            }
            assertThat(agent.closed.get())
                    .isEqualTo(
                            "the agent wrote more than 5 lines that are no messages; the first: hello");
            assertThat(RawAgent.failure(turn))
                    .hasMessage("session/prompt: " + agent.closed.get())
                    .extracting(AcpException::failure)
                    .isEqualTo(AcpException.Failure.ENDED);
        }
    }

    @Test
    void a_line_that_is_too_long_ends_the_connection() throws Exception {
        try (var agent = new RunningFixture(folder, limits(1_000_000))) {
            String session = agent.session();
            agent.connection.prompt(session, "!long 900000");
            assertThat(agent.said()).hasSize(900_000);

            FutureTask<PromptResult> turn =
                    RawAgent.begun(() -> agent.connection.prompt(session, "!long 1000001"));
            assertThat(agent.ending())
                    .isEqualTo("a line of the agent is longer than 1,000,000 bytes");
            assertThat(RawAgent.failure(turn).failure()).isEqualTo(AcpException.Failure.ENDED);
        }
    }

    private static AcpLimits limits(int lineBytes) {
        AcpLimits usual = AcpLimits.DEFAULTS;
        return new AcpLimits(
                lineBytes,
                usual.garbageLines(),
                usual.unwrittenBytes(),
                usual.unread(),
                usual.permissions(),
                usual.initialize(),
                usual.newSession(),
                usual.load(),
                usual.other());
    }

    @Test
    void a_message_of_too_many_parts_ends_the_connection_before_it_takes_memory() throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS)) {
            Thread.ofVirtual()
                    .start(() -> write(agent, "{\"a\":[" + "{},".repeat(400_000) + "1]}"));
            assertThat(agent.closed.get(20, TimeUnit.SECONDS)).isEqualTo(TOO_COMPLEX);
        }
        try (var agent = new RawAgent(AcpLimits.DEFAULTS)) {
            Thread.ofVirtual().start(() -> write(agent, "{\"a\":".repeat(50_000)));
            assertThat(agent.closed.get(20, TimeUnit.SECONDS)).isEqualTo(TOO_COMPLEX);
        }
    }

    private static void write(RawAgent agent, String line) {
        try {
            agent.writes(line);
        } catch (IOException e) {
            // the connection has ended
        }
    }

    @Test
    void endless_output_makes_the_agent_wait_for_a_slow_handler() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        AtomicLong heard = new AtomicLong();
        Process process = new ProcessBuilder(endless()).start();
        try (var _ =
                AcpConnection.over(
                        process.getInputStream(),
                        process.getOutputStream(),
                        new AcpHandler() {
                            @Override
                            public void updated(String sessionId, SessionUpdate update) {
                                if (heard.incrementAndGet() == 1_000) {
                                    try {
                                        slow.await();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                }
                            }

                            @Override
                            public PermissionOutcome permission(PermissionRequest request) {
                                return new PermissionOutcome.Cancelled();
                            }

                            @Override
                            public void closed(String why) {}
                        })) {
            Eventually.holds("the handler is stuck", () -> heard.get() == 1_000);
            // The process that writes sleeps in its write: it uses no more processor time.
            Eventually.holds("the agent waits", () -> isIdle(process));
            assertThat(heard).hasValue(1_000);
            slow.countDown();
            Eventually.holds("it goes on", () -> heard.get() > 5_000);
        } finally {
            slow.countDown();
            process.destroyForcibly();
        }
    }

    private static List<String> endless() {
        return FixtureAgent.command("flood=start");
    }

    private static boolean isIdle(Process process) throws InterruptedException {
        Duration before = process.info().totalCpuDuration().orElse(Duration.ZERO);
        new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
        return process.info().totalCpuDuration().orElse(Duration.ZERO).equals(before);
    }

    @Test
    void an_agent_that_does_not_read_loses_the_connection() throws Exception {
        try (var agent = new RawAgent(RawAgent.SMALL)) {
            String words = "x".repeat(200_000);
            FutureTask<PromptResult> first =
                    RawAgent.begun(() -> agent.connection.prompt("s", words));
            assertThat(agent.closed.get(20, TimeUnit.SECONDS))
                    .isEqualTo("the agent does not read: nothing for 0.5 seconds");
            assertThat(RawAgent.failure(first).failure()).isEqualTo(AcpException.Failure.ENDED);
        }
    }

    @Test
    void what_waits_for_an_agent_that_does_not_read_has_a_bound() throws Exception {
        try (var agent = new RawAgent(limits(16 << 20, 300_000))) {
            for (int i = 0; i < 4; i++) {
                var _ = RawAgent.begun(() -> agent.connection.prompt("s", "x".repeat(150_000)));
            }
            assertThat(agent.closed.get(20, TimeUnit.SECONDS))
                    .isEqualTo("the agent does not read: more than 300,000 bytes wait for it");
        }
    }

    private static AcpLimits limits(int lineBytes, long unwritten) {
        AcpLimits usual = limits(lineBytes);
        return new AcpLimits(
                lineBytes,
                usual.garbageLines(),
                unwritten,
                usual.unread(),
                usual.permissions(),
                usual.initialize(),
                usual.newSession(),
                usual.load(),
                usual.other());
    }

    @Test
    void a_deaf_agent_as_a_process_does_not_keep_the_connection_from_closing() throws Exception {
        try (var agent = new RunningFixture(folder, RawAgent.SMALL_BUT_PATIENT)) {
            String session = agent.session();
            agent.connection.prompt(session, "!deaf");
            // It reads whichever comes first, and the other does not fit into the pipe.
            String words = "x".repeat(140_000);
            var _ = RawAgent.begun(() -> agent.connection.prompt(session, words));
            var _ = RawAgent.begun(() -> agent.connection.prompt(session, words));
            assertThat(agent.ending())
                    .isEqualTo("the agent does not read: nothing for 0.5 seconds");
        }
    }
}
