package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.runner.acp.AcpException;
import dev.skep.runner.acp.PermissionRequest;
import dev.skep.runner.acp.SessionUpdate;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.Relay;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code skep acp} as a process, opened by a client of the protocol. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenedByAnEditorTest {
    private final AgentsToOpen agents = new AgentsToOpen();

    @BeforeAll
    void open(@TempDir Path data) throws Exception {
        agents.open(data);
    }

    @AfterAll
    void close() {
        agents.close();
    }

    /** Of the data dir's process, or of a hub. */
    private Editor editor(String way, String agent) throws IOException {
        return way.equals("hub")
                ? Editor.open(agents.hubKey(), "acp", "--agent", agent, "--hub", agents.url())
                : Editor.open(Map.of(), "acp", "--agent", agent, "--data-dir", agents.dataDir());
    }

    @ParameterizedTest
    @ValueSource(strings = {"data dir", "hub"})
    void a_prompt_is_a_word_to_the_agent_and_its_turn_is_the_answer(String way) throws Exception {
        try (Editor editor = editor(way, "dora")) {
            assertThat(editor.connection.initialize("test", "1").name()).isEqualTo("skep");
            String session = editor.connection.newSession("/", List.of()).sessionId();

            assertThat(editor.connection.prompt(session, "count to 3").stopReason())
                    .isEqualTo("end_turn");

            assertThat(editor.said()).isEqualTo("Counting to 3.\n");
            assertThat(editor.heard(SessionUpdate.ToolCall.class))
                    .extracting(SessionUpdate.ToolCall::title)
                    .contains("seq 1 3");
            assertThat(editor.heard(SessionUpdate.ToolCallUpdate.class).getFirst().content())
                    .singleElement()
                    .asString()
                    .contains("1\n2\n3");
            assertThat(editor.connection.prompt(session, "hello").stopReason())
                    .isEqualTo("end_turn");
            assertThat(editor.said()).isEqualTo("Counting to 3.\nHello to you.\n");
            loadedLater(way, session, editor.said());
        }
    }

    private void loadedLater(String way, String session, String said) throws Exception {
        try (Editor later = editor(way, "dora")) {
            assertThat(later.connection.initialize("test", "1").loadSession()).isTrue();
            later.connection.loadSession(session, "/", List.of());
            assertThat(later.said()).isEqualTo(said);
            assertThat(later.heard(SessionUpdate.UserMessageChunk.class))
                    .extracting(SessionUpdate.UserMessageChunk::text)
                    .containsExactly("count to 3", "hello");
            later.connection.prompt(session, "hello");
            assertThat(later.said()).isEqualTo(said + "Hello to you.\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"data dir", "hub"})
    void what_waits_for_approval_is_asked_of_the_editor(String way) throws Exception {
        try (Editor editor = editor(way, "mara")) {
            editor.connection.initialize("test", "1");
            String session = editor.connection.newSession("/", List.of()).sessionId();

            editor.kind = PermissionRequest.Kind.ALLOW_ONCE;
            editor.connection.prompt(session, "count to 4");
            PermissionRequest request = editor.asked.getFirst();
            assertThat(request.toolCall().title()).isEqualTo("seq 1 4");
            assertThat(request.toolCall().toolCallId())
                    .isEqualTo(editor.heard(SessionUpdate.ToolCall.class).getFirst().toolCallId());
            assertThat(editor.outputs()).contains("1\n2\n3\n4");

            editor.kind = PermissionRequest.Kind.REJECT_ONCE;
            editor.connection.prompt(session, "count to 5");
            assertThat(editor.outputs()).contains("denied by").doesNotContain("4\n5");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"data dir", "hub"})
    void a_cancelled_turn_ends_and_the_next_word_is_heard(String way) throws Exception {
        try (Editor editor = editor(way, "cora")) {
            editor.connection.initialize("test", "1");
            String session = editor.connection.newSession("/", List.of()).sessionId();
            FutureTask<String> turn =
                    new FutureTask<>(
                            () -> editor.connection.prompt(session, "take your time").stopReason());
            Thread.ofVirtual().start(turn);
            Eventually.holds("it sleeps", () -> editor.said().contains("I do."));

            editor.connection.cancel(session);

            assertThat(turn.get()).isEqualTo("cancelled");
            assertThat(editor.connection.prompt(session, "hello").stopReason())
                    .isEqualTo("end_turn");
            assertThat(editor.said()).endsWith("Hello to you.\n");
        }
    }

    @Test
    void a_connection_that_breaks_loses_and_doubles_nothing() throws Exception {
        try (Relay relay = new Relay(URI.create(agents.url()).getPort());
                Editor editor =
                        Editor.open(
                                agents.hubKey(), "acp", "--agent", "dora", "--hub", relay.url());
                Editor calm = editor("hub", "dora")) {
            editor.connection.initialize("test", "1");
            String session = editor.connection.newSession("/", List.of()).sessionId();
            calm.connection.initialize("test", "1");
            for (int i = 1; i <= 5; i++) {
                int number = i;
                FutureTask<Object> turn =
                        new FutureTask<>(
                                () -> editor.connection.prompt(session, "count to " + number));
                Thread.ofVirtual().start(turn);
                Eventually.holds(
                        "it begins", () -> editor.said().contains("Counting to " + number));
                relay.sever();
                relay.recover();
                turn.get();
            }
            calm.connection.loadSession(session, "/", List.of());
            assertThat(editor.said())
                    .isEqualTo(calm.said())
                    .isEqualTo(
                            "Counting to 1.\nCounting to 2.\nCounting to 3.\nCounting to 4.\nCounting to 5.\n");
        }
    }

    @Test
    void what_cannot_be_opened_says_why() throws Exception {
        try (Editor editor = editor("hub", "nobody")) {
            editor.connection.initialize("test", "1");
            assertThatThrownBy(() -> editor.connection.newSession("/", List.of()))
                    .isInstanceOf(AcpException.class)
                    .hasMessageContaining("there is no agent 'nobody' at this hub");
            assertThatThrownBy(() -> editor.connection.loadSession("x.y", "/", List.of()))
                    .hasMessageContaining("there is no session x.y");
            assertThatThrownBy(() -> editor.connection.prompt("x", "hello"))
                    .hasMessageContaining("there is no session x");
        }
        try (Editor editor =
                Editor.open(
                        Map.of("SKEP_API_KEY", "skep_api_wrong"),
                        "acp",
                        "--agent",
                        "dora",
                        "--hub",
                        agents.url())) {
            editor.connection.initialize("test", "1");
            assertThatThrownBy(() -> editor.connection.newSession("/", List.of()))
                    .isInstanceOf(AcpException.class);
        }
        assertThat(
                        Optional.of(
                                SkepCommand.run("acp", "--agent", "dora", "--hub", agents.url())
                                        .said()))
                .hasValueSatisfying(said -> assertThat(said).contains("set SKEP_API_KEY"));
    }
}
