package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.Agent;
import dev.skep.models.yaml.YamlProblem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsInAgentFilesTest {
    private static final String SECRET = "correct-horse-battery";
    private static final String LITERAL =
            """
            prompt: x
            model: m
            env:
              REGION: north
              DEPLOY_TOKEN: "%s" # ours
              KEY_FILE: /etc/ssl/our-own.pem
            """
                    .formatted(SECRET);
    private static final String REFERENCE =
            LITERAL.replace("\"%s\"".formatted(SECRET), "\"${env.DEPLOY_TOKEN}\"");

    @TempDir Path dir;

    @Test
    void a_new_file_that_holds_a_secret_is_refused_with_the_fix_and_the_others_start()
            throws InterruptedException {
        TestRunner.agent(dir, "alice", LITERAL);
        TestRunner.agent(dir, "bob", "prompt: x\nmodel: m\n");
        try (TestRunner test = TestRunner.start(dir, printing())) {
            assertThat(test.runner.agents()).extracting(Agent::username).containsExactly("bob");
            assertThat(test.runner.problems())
                    .extracting(YamlProblem::toString)
                    .containsExactly(
                            "alice.yaml:5:17: env.DEPLOY_TOKEN: holds a secret; put DEPLOY_TOKEN=… into .env in the data folder and write ${env.DEPLOY_TOKEN} here");
            assertThat(test.runner.agentService().problems()).isEqualTo(test.runner.problems());
            test.recorder.await("bob OUTPUT: ");
        }
    }

    @Test
    void one_from_before_this_rule_goes_on_and_its_row_and_log_lose_the_secret()
            throws InterruptedException {
        stored(LITERAL);
        TestRunner.agent(dir, "alice", LITERAL);
        for (String sign :
                List.of("alice OUTPUT: token [redacted] north", "alice NOTICE: goes on after")) {
            try (TestRunner test = TestRunner.start(dir, printing())) {
                test.recorder.await(sign);
                assertThat(alice(test).config()).isEqualTo(REFERENCE);
                assertThat(test.runner.problems()).hasSize(1);
                assertThat(String.join("\n", test.log("alice"))).doesNotContain(SECRET);
            }
        }
    }

    @Test
    void one_that_gets_a_secret_is_refused_and_keeps_its_row() {
        stored(REFERENCE.replace("north", "south"));
        TestRunner.agent(dir, "alice", LITERAL);
        try (TestRunner test = TestRunner.start(dir, printing())) {
            assertThat(test.runner.agents()).isEmpty();
            assertThat(test.runner.problems()).hasSize(1);
            assertThat(alice(test).config()).doesNotContain(SECRET).contains("south");
        }
    }

    @Test
    void a_value_that_the_environment_gives_is_neither_stored_nor_logged()
            throws InterruptedException {
        TestRunner.agent(dir, "alice", REFERENCE);
        try (TestRunner test =
                TestRunner.start(dir, printing(), Map.of("DEPLOY_TOKEN", SECRET), null)) {
            test.recorder.await("alice OUTPUT: token [redacted] north");
            assertThat(test.runner.problems()).isEmpty();
            assertThat(alice(test).config()).isEqualTo(REFERENCE);
        }
    }

    @Test
    void every_way_to_write_a_value_is_cleaned_and_the_rest_of_the_file_stays()
            throws InterruptedException {
        String file =
                """
                prompt: "ключ"
                model: m
                env: { A_SECRET: 'correct horse''s battery', B_TOKEN: plain-and-long, REGION: north }
                title: after
                """;
        stored(file);
        TestRunner.agent(dir, "alice", file);
        try (TestRunner test = TestRunner.start(dir, printing())) {
            test.recorder.await("alice OUTPUT: ");
            assertThat(alice(test).config())
                    .isEqualTo(
                            """
                            prompt: "ключ"
                            model: m
                            env: { A_SECRET: "${env.A_SECRET}", B_TOKEN: "${env.B_TOKEN}", REGION: north }
                            title: after
                            """);
        }
    }

    /** Leaves a row as an earlier version stored it. */
    private void stored(String config) {
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: m\nauto_start: false\n");
        try (TestRunner test = TestRunner.start(dir, printing())) {
            Agent row = alice(test);
            test.runner.stores().agents().put(row.withConfig(config));
        }
    }

    private static PlayedModels printing() {
        return new PlayedModels()
                .model(
                        "m",
                        PlayedModels.commands(
                                List.of("echo token $DEPLOY_TOKEN $REGION"),
                                List.of("session wait")));
    }

    private static Agent alice(TestRunner test) {
        return test.runner.stores().agents().onThisHost().stream()
                .filter(agent -> agent.username().equals("alice"))
                .findFirst()
                .orElseThrow();
    }
}
