package dev.skep.runner.acp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContinuingASessionTest {
    @TempDir Path folder;

    private String earlier() throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session = agent.session();
            agent.connection.prompt(session, "!say Hello from an earlier session");
            return session;
        }
    }

    @Test
    void loading_replays_what_was_said_cut_in_another_way() throws Exception {
        String session = earlier();
        try (var agent = new RunningFixture(folder)) {
            assertThat(agent.connection.initialize("test", "1").loadSession()).isTrue();

            OpenedSession opened =
                    agent.connection.loadSession(session, folder.toString(), List.of());

            assertThat(opened.sessionId()).isEqualTo(session);
            assertThat(agent.said()).isEqualTo("Hello from an earlier session");
            assertThat(agent.heard(SessionUpdate.MessageChunk.class)).hasSizeGreaterThan(3);
            assertThat(agent.heard(SessionUpdate.UserMessageChunk.class)).isNotEmpty();
            agent.connection.prompt(session, "!history");
            assertThat(agent.said()).contains("3 lines, the last: !history");
        }
    }

    @Test
    void resuming_replays_nothing() throws Exception {
        String session = earlier();
        try (var agent = new RunningFixture(folder, "modes=ask,auto", "models=a,b")) {
            assertThat(agent.connection.initialize("test", "1").resume()).isTrue();

            OpenedSession opened =
                    agent.connection.resumeSession(session, folder.toString(), List.of());

            assertThat(agent.updates).isEmpty();
            assertThat(opened.mode()).isEqualTo("ask");
            assertThat(opened.models()).hasSize(2);
            agent.connection.setMode(session, "auto");
            agent.connection.setModel(session, "b");
            agent.connection.prompt(session, "!history");
            assertThat(agent.said()).startsWith("3 lines");
            assertThat(agent.heard(SessionUpdate.ModeChanged.class))
                    .containsExactly(new SessionUpdate.ModeChanged("auto"));
            agent.connection.closeSession(session);
        }
    }

    @Test
    void a_session_that_is_gone_is_refused_and_another_can_be_opened() throws Exception {
        try (var agent = new RunningFixture(folder, "no-resume", "no-http", "no-image")) {
            AgentDescription can = agent.connection.initialize("test", "1");
            assertThat(can.resume() || can.mcpHttp() || can.promptImage()).isFalse();
            AcpException failure =
                    RawAgent.failure(
                            RawAgent.begun(
                                    () ->
                                            agent.connection.loadSession(
                                                    "gone", folder.toString(), List.of())));
            assertThat(failure.failure()).isEqualTo(AcpException.Failure.REFUSED);
            assertThat(failure).hasMessageContaining("there is no session gone");
            assertThat(agent.connection.newSession(folder.toString(), List.of()).sessionId())
                    .startsWith("fix-");
        }
    }
}
