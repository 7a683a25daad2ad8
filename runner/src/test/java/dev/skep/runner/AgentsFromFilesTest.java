package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.Ids;
import dev.skep.models.yaml.JsonSchema;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.NewAgent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentsFromFilesTest {
    private static final ChangeOrigin ME = ChangeOrigin.here("me", null);

    @TempDir Path dir;

    @Test
    void one_bad_file_does_not_stop_the_others_and_is_named() throws InterruptedException {
        TestRunner.agent(dir, "good", "prompt: x\nmodel: m\n");
        TestRunner.agent(dir, "bad", "promt: x\nmodel: m\nspend_limit: much\n");
        TestRunner.agent(dir, "keyless", "prompt: x\nmodel: unheard-of\n");
        TestRunner.agent(dir, "twin", "username: good\nprompt: x\nmodel: m\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            test.recorder.await("good is WAITING");
            test.recorder.await("keyless is FAILED: there is no model 'unheard-of'");
            assertThat(test.runner.problems())
                    .extracting(Object::toString)
                    .contains(
                            "bad.yaml:1:1: promt: is not a known key; did you mean 'prompt'?",
                            "bad.yaml:3:14: spend_limit: 'much' is not an amount in dollars; write for example 1.50",
                            "twin.yaml:1:1: username: 'good' is taken by good.yaml; choose another");
        }
    }

    @Test
    void a_renamed_agent_keeps_its_row_and_a_subordinate_its_lead() {
        TestRunner.agent(dir, "lead", "prompt: x\nmodel: m\nauto_start: false\n");
        TestRunner.agent(dir, "lead/worker", "prompt: x\nmodel: m\nauto_start: false\n");
        PlayedModels models = new PlayedModels().model("m", commands());
        List<Agent> before;
        try (TestRunner test = TestRunner.start(dir, models)) {
            before = test.runner.agents();
            assertThat(before.get(1).lead()).isEqualTo(before.getFirst().id());
        }
        TestRunner.agent(dir, "lead", "username: boss\nprompt: x\nmodel: m\nauto_start: false\n");
        try (TestRunner test = TestRunner.start(dir, models)) {
            List<Agent> after = test.runner.agents();
            assertThat(after).extracting(Agent::username).containsExactly("boss", "worker");
            assertThat(after.getFirst().id()).isEqualTo(before.getFirst().id());
            assertThat(after.get(1).lead()).isEqualTo(after.getFirst().id());
        }
    }

    @Test
    void a_new_agent_is_this_hosts_and_has_an_id_nobody_handed_out() {
        TestRunner.agent(dir, "ada", "prompt: x\nmodel: m\nauto_start: false\n");
        TestRunner.agent(dir, "ben", "prompt: x\nmodel: m\nauto_start: false\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            List<Agent> made = test.runner.agents();
            assertThat(made).hasSize(2).allMatch(agent -> Ids.isUlid(agent.id().value()));
            assertThat(made).extracting(Agent::id).doesNotHaveDuplicates();
            assertThat(made).extracting(Agent::host).containsOnly(test.host.id());
        }
    }

    @Test
    void a_new_agent_gets_a_file_that_reads_and_a_schema_beside_it() throws Exception {
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            AgentService agentService = test.runner.agentService();
            assertThat(
                            agentService
                                    .create(
                                            new NewAgent(
                                                    "alice",
                                                    "Tester: \"A\"",
                                                    "Be\nbrief.",
                                                    "m",
                                                    null),
                                            ME)
                                    .message())
                    .contains("alice is started");
            test.recorder.await("alice is WAITING");
            assertThat(agentService.create(new NewAgent("bob", null, null, "m", "alice"), ME))
                    .isInstanceOf(ActionResult.Done.class);
            assertThat(dir.resolve("agents/alice/bob.yaml")).exists();
            assertThat(Files.readString(dir.resolve("agents/agent.schema.json")))
                    .isEqualTo(JsonSchema.of(AgentFile.class, "Skep agent"))
                    .contains("\"wake_on_mail\"", "\"required\": [\"prompt\"]");
            assertThat(
                            agentService
                                    .create(new NewAgent("alice", null, null, "m", null), ME)
                                    .message())
                    .contains("there is an agent 'alice' already");
            assertThat(
                            agentService
                                    .create(new NewAgent("Bad Name", null, null, "m", null), ME)
                                    .message())
                    .contains("lower-case");
            assertThat(test.runner.problems()).isEmpty();
        }
    }
}
