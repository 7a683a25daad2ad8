package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.Agent;
import dev.skep.agents.version.AgentVersion;
import dev.skep.agents.version.FileChange;
import dev.skep.kernel.consent.Consents;
import dev.skep.runner.FileChangeResult.Done;
import dev.skep.runner.FileChangeResult.Invalid;
import dev.skep.runner.FileChangeResult.Refused;
import dev.skep.runner.FileChangeResult.Stale;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangingAgentFilesTest {
    private static final String HUB = "https://hub.example.org";
    private static final String FILE =
            """
            # Kept by people.
            prompt: |   # who it is
              You are ada.
            model: m
            auto_start: false
            """;

    @TempDir Path dir;

    private TestRunner started(Map<String, String> environment) {
        TestRunner test =
                TestRunner.start(dir, new PlayedModels().model("m", commands()), environment, null);
        test.host.keys().joined(HUB, "hub", 1, Consents.OF_OWN_HUB);
        return test;
    }

    private static AgentFileEditor files(TestRunner test) {
        return test.runner.agentService().files();
    }

    private static String tag(TestRunner test, String agent) {
        return files(test).present(agent).orElseThrow().version().tag();
    }

    private static ChangeOrigin hub(String job) {
        return new ChangeOrigin("operator ada", HUB, "because", job);
    }

    private static List<AgentVersion> versions(TestRunner test, String agent) {
        Agent found =
                test.runner.stores().agents().onThisHost().stream()
                        .filter(each -> each.username().equals(agent))
                        .findFirst()
                        .orElseThrow();
        return files(test).versions(test.host.principal(), found.id());
    }

    @Test
    void an_edit_is_in_the_file_as_it_was_written_and_a_version_says_who_and_why()
            throws Exception {
        TestRunner.agent(dir, "ada", FILE);
        try (TestRunner test = started(Map.of())) {
            String other = FILE.replace("You are ada.", "You are ada, and brief.");

            FileChangeResult result =
                    files(test).edit("ada", tag(test, "ada"), other, hub("01JOB"));

            assertThat(result).isInstanceOf(Done.class);
            assertThat(Files.readString(dir.resolve("agents/ada.yaml"))).isEqualTo(other);
            List<AgentVersion> versions = versions(test, "ada");
            assertThat(versions).extracting(AgentVersion::number).containsExactly(2L, 1L);
            assertThat(versions.getFirst().author()).isEqualTo("operator ada");
            assertThat(versions.getFirst().hub()).isEqualTo(HUB);
            assertThat(versions.getFirst().reason()).isEqualTo("because");
            assertThat(versions.getLast().author()).isNull();
            assertThat(files(test).version(test.host.principal(), versions.getFirst().agent(), 1))
                    .hasValueSatisfying(first -> assertThat(first.content()).isEqualTo(FILE));
            assertThat(test.runner.agents().getFirst().username()).isEqualTo("ada");
        }
    }

    @Test
    void an_edit_of_another_version_changes_nothing_and_shows_the_present_one() throws Exception {
        TestRunner.agent(dir, "ada", FILE);
        try (TestRunner test = started(Map.of())) {
            String seen = tag(test, "ada");
            // Somebody at the host saves in an editor and reloads nothing.
            String local = FILE + "turn_delay: 1s\n";
            Files.writeString(dir.resolve("agents/ada.yaml"), local);

            FileChangeResult result =
                    files(test).edit("ada", seen, FILE + "turn_delay: 2s\n", hub("01JOB"));

            assertThat(result).isInstanceOf(Stale.class);
            AgentVersion newest = ((Stale) result).newest();
            assertThat(newest.content()).isEqualTo(local);
            assertThat(newest.reason()).isEqualTo("changed on the host");
            assertThat(Files.readString(dir.resolve("agents/ada.yaml"))).isEqualTo(local);
        }
    }

    @Test
    void of_many_edits_of_one_version_one_is_made() throws Exception {
        TestRunner.agent(dir, "ada", FILE);
        try (TestRunner test = started(Map.of());
                var people = Executors.newVirtualThreadPerTaskExecutor()) {
            String seen = tag(test, "ada");
            List<Callable<FileChangeResult>> edits = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
                String text = FILE + "turn_delay: %ds\n".formatted(i);
                String job = "01JOB" + i;
                edits.add(() -> files(test).edit("ada", seen, text, hub(job)));
            }
            List<FileChangeResult> results = new ArrayList<>();
            for (Future<FileChangeResult> each : people.invokeAll(edits)) {
                results.add(each.get());
            }
            assertThat(results).filteredOn(Done.class::isInstance).hasSize(1);
            assertThat(results).filteredOn(Stale.class::isInstance).hasSize(7);
            assertThat(versions(test, "ada")).hasSize(2);
        }
    }

    @Test
    void a_job_that_is_repeated_changes_nothing_twice() {
        TestRunner.agent(dir, "ada", FILE);
        try (TestRunner test = started(Map.of())) {
            String seen = tag(test, "ada");
            String text = FILE + "turn_delay: 1s\n";
            files(test).edit("ada", seen, text, hub("01JOB"));

            assertThat(files(test).edit("ada", seen, text, hub("01JOB"))).isInstanceOf(Done.class);
            assertThat(versions(test, "ada")).hasSize(2);
            String later = text + "turn_limit: 5\n";
            files(test).edit("ada", tag(test, "ada"), later, ChangeOrigin.here("me", null));
            assertThat(files(test).edit("ada", seen, text, hub("01JOB"))).isInstanceOf(Done.class);
            assertThat(versions(test, "ada")).hasSize(3);
            assertThat(dir.resolve("agents/ada.yaml")).hasContent(later);

            String made = "username: ben\n" + FILE;
            assertThat(files(test).create(made, hub("01NEW"))).isInstanceOf(Done.class);
            assertThat(files(test).create(made, hub("01NEW"))).isInstanceOf(Done.class);
            assertThat(files(test).create(made, hub("01OTHER"))).isInstanceOf(Refused.class);
            assertThat(versions(test, "ben")).hasSize(1);
        }
    }

    @Test
    void what_cannot_be_used_is_named_by_line_and_column_and_changes_nothing() throws Exception {
        TestRunner.agent(dir, "ada", FILE);
        try (TestRunner test = started(Map.of())) {
            String seen = tag(test, "ada");
            assertThat(problems(test, seen, FILE + "modle: x\n")).contains("ada.yaml:6:1: modle");
            assertThat(problems(test, seen, FILE + "env: { API_TOKEN: a1b2c3d4e5f6 }\n"))
                    .contains("ada.yaml:6:19: env.API_TOKEN: holds a secret");
            assertThat(problems(test, seen, FILE + "title: sk-abcdefghijklmnopqrstuv\n"))
                    .contains("ada.yaml:6:1")
                    .contains("looks like a secret");
            assertThat(problems(test, seen, "username: ben\n" + FILE)).contains("rename the agent");
            assertThat(problems(test, seen, FILE + "runtime: nothing\n")).contains("runtime");
            assertThat(problems(test, seen, FILE + "#" + "x".repeat(70_000)))
                    .contains("at most 65,536");

            assertThat(Files.readString(dir.resolve("agents/ada.yaml"))).isEqualTo(FILE);
            assertThat(versions(test, "ada")).hasSize(1);
            assertThat(dir.resolve("foreign-agents")).doesNotExist();
        }
    }

    private static String problems(TestRunner test, String seen, String text) {
        FileChangeResult result = files(test).edit("ada", seen, text, hub("01JOB"));
        assertThat(result).as(text).isInstanceOf(Invalid.class);
        return ((Invalid) result).problems().toString();
    }

    @Test
    void a_file_that_a_hub_changed_reads_only_what_the_host_lists_for_such() throws Exception {
        TestRunner.agent(dir, "ada", FILE);
        try (TestRunner test = started(Map.of("MINE", "m-123456", "LISTED", "l-123456"))) {
            String seen = tag(test, "ada");
            String reads = FILE + "env: { X: \"${env.%s}\" }\n";
            assertThat(problems(test, seen, reads.formatted("MINE")))
                    .contains("env: ${env.MINE} is not for a file that came from elsewhere");
            assertThat(problems(test, seen, FILE + "folder: /etc\n"))
                    .contains("folder")
                    .contains("came from elsewhere");

            Files.writeString(dir.resolve("remote-env"), "LISTED\n");
            assertThat(files(test).edit("ada", seen, reads.formatted("LISTED"), hub("01JOB")))
                    .isInstanceOf(Done.class);
            // It stays so when the hub's consent ends and when somebody puts more into it.
            assertThat(Files.readString(dir.resolve("foreign-agents"))).contains(HUB, "ada.yaml");
            test.host.keys().allow(HUB, Consents.USUAL);
            assertThat(test.runner.start("ada", null)).isInstanceOf(ActionResult.Refused.class);
        }
    }

    @Test
    void a_change_made_on_this_host_may_read_all_that_the_host_has() {
        TestRunner.agent(dir, "ada", FILE);
        try (TestRunner test = started(Map.of("MINE", "m-123456"))) {
            FileChangeResult result =
                    files(test)
                            .edit(
                                    "ada",
                                    tag(test, "ada"),
                                    FILE + "env: { X: \"${env.MINE}\" }\n",
                                    ChangeOrigin.here("me", null));
            assertThat(result).isInstanceOf(Done.class);
            assertThat(versions(test, "ada").getFirst().hub()).isNull();
            assertThat(dir.resolve("foreign-agents")).doesNotExist();
        }
    }

    @Test
    void a_file_with_a_secret_is_shown_without_it_and_changed_only_on_its_host() throws Exception {
        TestRunner.agent(dir, "ada", FILE + "title: m-123456\n");
        TestRunner.agent(dir, "ben", FILE + "env: { X: \"${env.MINE}\" }\n");
        try (TestRunner test = started(Map.of("MINE", "m-123456"))) {
            assertThat(files(test).present("ada").orElseThrow().version().content())
                    .doesNotContain("m-123456");
            assertThat(files(test).edit("ada", tag(test, "ada"), FILE, hub("01JOB")))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.why()).contains("shown to nobody"));
            assertThat(Files.readString(dir.resolve("agents/ada.yaml"))).contains("m-123456");
        }
    }

    @Test
    void a_file_written_before_a_power_cut_has_its_author_at_the_next_start() throws Exception {
        TestRunner.agent(dir, "ada", FILE);
        TestRunner.agent(dir, "ben", FILE);
        String text = FILE + "turn_delay: 1s\n";
        try (TestRunner test = started(Map.of())) {
            for (Agent agent : test.runner.agents()) {
                announce(test, agent, text);
            }
            // One file was written before the end, the other was not.
            Files.writeString(dir.resolve("agents/ada.yaml"), text);
        }
        try (TestRunner test = started(Map.of())) {
            assertThat(versions(test, "ada").getFirst().author()).isEqualTo("operator ada");
            assertThat(versions(test, "ada").getFirst().changeId()).isEqualTo("01JOB");
            assertThat(versions(test, "ben")).hasSize(1);
            assertThat(test.runner.stores().versions().announced()).isEmpty();
        }
    }

    private static void announce(TestRunner test, Agent agent, String text) {
        test.runner
                .stores()
                .versions()
                .begin(
                        new FileChange(
                                agent.username() + ".yaml",
                                AgentVersion.hash(text),
                                agent.id(),
                                "operator ada",
                                HUB,
                                null,
                                "01JOB"));
    }

    @Test
    void the_newest_fifty_versions_are_kept() {
        TestRunner.agent(dir, "ada", FILE);
        try (TestRunner test = started(Map.of())) {
            for (int i = 1; i <= 60; i++) {
                files(test)
                        .edit(
                                "ada",
                                tag(test, "ada"),
                                FILE + "turn_delay: %ds\n".formatted(i),
                                ChangeOrigin.here("me", null));
            }
            List<AgentVersion> versions = versions(test, "ada");
            assertThat(versions).hasSize(50);
            assertThat(versions.getFirst().number()).isEqualTo(61);
            assertThat(versions.getLast().number()).isEqualTo(12);
        }
    }

    @Test
    void rules_and_names_that_are_written_into_a_file_are_versions_too() {
        TestRunner.agent(dir, "ada", FILE);
        try (TestRunner test = started(Map.of())) {
            test.runner.agentService().rename("ada", "eve", hub("01JOB"));
            assertThat(versions(test, "eve").getFirst().author()).isEqualTo("operator ada");
            assertThat(test.runner.agentService().reload()).isInstanceOf(ActionResult.Done.class);
            assertThat(versions(test, "eve")).hasSize(2);
        }
    }

    @Test
    void an_agent_at_work_keeps_its_file_until_its_next_start_or_begins_anew_if_told()
            throws Exception {
        TestRunner.agent(dir, "ada", FILE.replace("auto_start: false\n", ""));
        try (TestRunner test = started(Map.of())) {
            test.recorder.await("ada is WAITING");
            files(test)
                    .edit(
                            "ada",
                            tag(test, "ada"),
                            FILE + "turn_delay: 1s\n",
                            ChangeOrigin.here("me", null));
            assertThat(test.runner.agentService().restart("ada")).isTrue();
            test.recorder.await("ada is STOPPED");
            test.recorder.await("ada is WAITING");
        }
    }
}
