package dev.skep.runner.acp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnsOfAnAgentTest {
    @TempDir Path folder;

    @Test
    void what_an_agent_says_does_and_plans_arrives_in_order_before_the_prompt_returns()
            throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session = agent.session();

            PromptResult result =
                    agent.connection.prompt(
                            session,
                            """
                            Do this:
                            !think hm
                            !pieces 3 1 Hello there
                            !plan look | change | test
                            !write a.txt new words
                            !run echo one; echo two; exit 4
                            !mode careful
                            !cost 10 200 0.25
                            !usage 7 8 9
                            """);

            assertThat(result)
                    .isEqualTo(
                            new PromptResult(
                                    "end_turn", new PromptResult.TurnTokens(7, 8, 9, 0, 24)));
            assertThat(agent.said()).isEqualTo("Hello there");
            assertThat(folder.resolve("a.txt")).hasContent("new words");
            assertThat(agent.updates.getFirst())
                    .isEqualTo(new SessionUpdate.ThoughtChunk("hm", null));
            assertThat(agent.heard(SessionUpdate.Plan.class).getFirst().entries())
                    .extracting(SessionUpdate.PlanStep::status)
                    .containsExactly("completed", "in_progress", "pending");
            assertThat(agent.heard(SessionUpdate.ToolCall.class))
                    .extracting(SessionUpdate.ToolCall::kind)
                    .containsExactly("edit", "execute");
            assertThat(agent.heard(SessionUpdate.ToolCall.class).getLast().rawInput())
                    .isEqualTo("{\"command\":\"echo one; echo two; exit 4\"}");
            assertThat(agent.heard(SessionUpdate.ToolCallUpdate.class))
                    .extracting(SessionUpdate.ToolCallUpdate::outputDelta)
                    .contains("one\n", "two\n");
            assertThat(agent.heard(SessionUpdate.ToolCallUpdate.class).getFirst().content())
                    .containsExactly(
                            new SessionUpdate.ToolContent.Diff(
                                    folder.resolve("a.txt").toString(), null, "new words"));
            assertThat(agent.heard(SessionUpdate.ToolCallUpdate.class).getLast())
                    .satisfies(
                            last -> {
                                assertThat(last.status()).isEqualTo("failed");
                                assertThat(last.rawOutput()).isEqualTo("{\"exitCode\":4}");
                            });
            assertThat(agent.heard(SessionUpdate.ModeChanged.class))
                    .containsExactly(new SessionUpdate.ModeChanged("careful"));
            assertThat(agent.heard(SessionUpdate.UsageUpdate.class))
                    .containsExactly(new SessionUpdate.UsageUpdate(10, 200, 0.25, "USD"));
            assertThat(Files.exists(folder.resolve(".fixture-agent"))).isTrue();
        }
    }
}
