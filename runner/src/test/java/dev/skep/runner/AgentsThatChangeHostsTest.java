package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.Agent;
import dev.skep.kernel.consent.Consents;
import dev.skep.runner.mcp.PlayedToolServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentsThatChangeHostsTest {
    private static final String HUB = "https://hub.example.org";
    private static final String ELSEWHERE = "01JELSEWHERE00000000000000";

    @TempDir Path dir;

    @Test
    void an_agent_that_another_host_took_over_stops_and_its_file_is_named() throws Exception {
        TestRunner.agent(dir, "ada", "prompt: x\nmodel: m\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            test.recorder.await("ada is WAITING");
            move(test, "ada", ELSEWHERE);
            test.recorder.await("ada is STOPPED", "has taken it over");
        }
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            assertThat(test.runner.agents()).isEmpty();
            assertThat(test.runner.problems())
                    .extracting(Object::toString)
                    .containsExactly(
                            "ada.yaml:1:1: username: host %s has taken ada over; move this file away"
                                    .formatted(ELSEWHERE));
        }
    }

    @Test
    void an_agent_this_host_took_over_gets_its_file_and_starts() throws Exception {
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            come(test, "ben", "prompt: x\nmodel: m\n");
            test.recorder.await("ben is WAITING");
            assertThat(dir.resolve("agents/ben.yaml")).hasContent("prompt: x\nmodel: m\n");
            assertThat(test.runner.agents()).extracting(Agent::username).containsExactly("ben");
        }
    }

    @Test
    void the_script_it_plays_comes_along_and_a_script_of_this_host_stays() throws Exception {
        String agent = "prompt: x\nmodel: scripted:play.script.yaml\n";
        TestRunner.agent(dir, "ada", agent);
        Files.writeString(dir.resolve("agents/play.script.yaml"), "scenes: [] # ours\n");
        PlayedModels models = new PlayedModels().model("scripted:play.script.yaml", commands());
        String config;
        try (TestRunner test = TestRunner.start(dir, models)) {
            config = String.valueOf(test.runner.agents().getFirst().config());
        }
        Path other = Files.createDirectory(dir.resolve("other"));
        try (TestRunner test = TestRunner.start(other, models)) {
            come(test, "ada", config);
            test.recorder.await("ada is WAITING");
            assertThat(other.resolve("agents/ada.yaml")).hasContent(agent);
            assertThat(other.resolve("agents/play.script.yaml")).hasContent("scenes: [] # ours\n");
            come(test, "ben", config.replace("# ours", "# theirs"));
            test.recorder.await("ben is WAITING");
            assertThat(other.resolve("agents/play.script.yaml")).hasContent("scenes: [] # ours\n");
        }
    }

    @Test
    void an_agent_from_elsewhere_stops_when_its_hub_may_bring_agents_no_longer() throws Exception {
        TestRunner.agent(dir, "own", "prompt: x\nmodel: m\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            come(test, "guest", "prompt: x\nmodel: m\n");
            test.recorder.await("guest is WAITING");
            test.recorder.await("own is WAITING");

            test.host.keys().allow(HUB, Consents.USUAL);

            test.recorder.await("guest is STOPPED: guest came by the hub");
            assertThat(test.runner.start("guest", null)).isInstanceOf(ActionResult.Refused.class);
        }
    }

    @Test
    void servers_of_a_file_from_elsewhere_read_only_what_the_host_lists() throws Exception {
        Files.writeString(dir.resolve("remote-env"), "LISTED\n");
        PlayedModels models = new PlayedModels().model("m", commands(List.of("tool web.echo {}")));
        Map<String, String> environment = Map.of("LISTED", "l-123456", "MINE", "m-123456");
        try (var played = PlayedToolServer.echo();
                TestRunner test = TestRunner.start(dir, models, environment, null)) {
            String server = "{ name: web, url: \"%s\", headers: { X-Secret: \"${env.%s}\" } }";
            String file = "prompt: x\nmodel: m\ntools: [%s]\n";
            come(test, "one", file.formatted(server.formatted(played.address(), "LISTED")));
            test.recorder.await("one OUTPUT: {}");
            assertThat(played.seen).contains("with X-Secret l-123456");
            come(test, "two", file.formatted(server.formatted(played.address(), "MINE")));
            test.recorder.await("two OUTPUT: error: the server 'web'", "${env.MINE} is not for");
            assertThat(played.seen).noneMatch(line -> line.contains("m-123456"));
        }
    }

    @Test
    void a_file_that_nests_without_end_keeps_no_other_agent_from_coming_or_stopping()
            throws Exception {
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            come(test, "deep", "[".repeat(60_000));
            come(test, "ben", "prompt: x\nmodel: m\n");
            test.recorder.await("ben is WAITING");

            move(test, "ben", ELSEWHERE);
            test.recorder.await("ben is STOPPED", "has taken it over");
        }
    }

    @Test
    void an_agent_made_anew_and_the_one_given_back_become_one_at_a_start_if_not_before()
            throws Exception {
        String original = "01JADA00000000000000000000";
        TestRunner.agent(dir, "ada", "prompt: x\nmodel: m\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            test.recorder.await("ada is WAITING");
            // A hub gave it back, and the process ended before the two were joined.
            test.database.write(
                    tx -> {
                        tx.update("INSERT INTO provisional_agents (user_id) SELECT id FROM users");
                        return tx.update(
                                """
                                INSERT INTO users (id, username, kind, config, agent_path, org_id, host_id,
                                    gen, ver, feed, created_at, updated_at)
                                SELECT ?, username, kind, config, agent_path, org_id, host_id,
                                    gen, ver, ver, created_at, updated_at FROM users
                                """,
                                original);
                    });
        }
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            test.recorder.await("ada is WAITING");
            assertThat(test.runner.agents())
                    .extracting(agent -> agent.id().value())
                    .containsExactly(original);
        }
    }

    @Test
    void a_name_that_is_no_name_writes_no_file() throws Exception {
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            come(test, "../../evil", "prompt: x\nmodel: m\n");
            come(test, "good", "prompt: x\nmodel: m\n");
            test.recorder.await("good is WAITING");
            assertThat(dir.resolve("agents")).isDirectoryNotContaining("glob:**evil*");
            assertThat(dir.resolve("../evil.yaml")).doesNotExist();
        }
    }

    /** As sync stores it. */
    private static void move(TestRunner test, String name, String host) {
        test.database.write(
                tx ->
                        tx.update(
                                "UPDATE users SET host_id = ?, gen = 1 WHERE username = ?",
                                host,
                                name));
    }

    private static void come(TestRunner test, String name, String config) {
        test.host.keys().joined(HUB, "hub", 1, Consents.OF_OWN_HUB);
        String id = "01JADOPTED" + Integer.toHexString(name.hashCode());
        test.database.write(
                tx ->
                        tx.update(
                                "INSERT INTO foreign_agents (user_id, org_id, hub, came_at) VALUES (?, 'default', ?, ?)",
                                id,
                                HUB,
                                Instant.EPOCH));
        test.database.write(
                tx ->
                        tx.update(
                                """
                                INSERT INTO users (id, username, kind, config, org_id, host_id, gen, ver,
                                    created_at, updated_at)
                                VALUES (?, ?, 'agent', ?, 'default', ?, 1, 1, ?, ?)
                                """,
                                id,
                                name,
                                config,
                                test.host.id().value(),
                                Instant.EPOCH,
                                Instant.EPOCH));
    }
}
