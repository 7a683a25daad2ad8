package dev.skep.runner;

import static dev.skep.runner.PlayedModels.answer;
import static dev.skep.runner.PlayedModels.commands;
import static dev.skep.runner.PlayedModels.replies;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.identity.Actor;
import dev.skep.models.ModelRequest;
import dev.skep.models.ToolOffer;
import dev.skep.models.money.Dollars;
import dev.skep.models.table.ConfiguredModels;
import dev.skep.models.table.ModelTable;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.ApprovalLookup;
import dev.skep.runner.approval.Decider;
import dev.skep.runner.mcp.PlayedToolServer;
import dev.skep.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent of our own loop with the tools of MCP servers. */
final class ToolsOfServersTest {
    private static final Map<String, String> KEYS = Map.of("WEB_KEY", "w-123456");

    @TempDir Path dir;

    private final PlayedToolServer played = PlayedToolServer.echo();

    @AfterEach
    void close() {
        played.close();
    }

    private void agent(String more) throws Exception {
        TestRunner.agent(
                dir,
                "alice",
                """
                prompt: x
                %s
                tools: [{ name: web, url: "%s", headers: { X-Title: "${agent.username}", X-Secret: "${env.WEB_KEY}" } }]
                """
                        .formatted(more, played.address()));
    }

    private static void decide(TestRunner test, ApprovalChoice choice) {
        AgentService agentService = test.runner.agentService();
        var unused =
                agentService.decide(
                        Decider.here(Actor.local(test.host.org())),
                        ApprovalLookup.matching(agentService.waiting(test.host.principal()), ""),
                        choice,
                        null);
    }

    private static List<String> calls(PlayedToolServer played) {
        return played.seen.stream().filter(line -> line.startsWith("tools/call")).toList();
    }

    @Test
    void a_tool_is_offered_and_its_call_is_a_command_with_an_output() throws Exception {
        agent("model: m");
        PlayedModels models =
                new PlayedModels().model("m", commands(List.of("tool web.echo {\"what\":\"hi\"}")));
        try (TestRunner test = TestRunner.start(dir, models, KEYS, null)) {
            test.recorder.await("alice OUTPUT: {\"what\":\"hi\"}");
            test.recorder.await("alice is WAITING");
            assertThat(test.log("alice")).contains("COMMAND: tool web.echo {\"what\":\"hi\"}");
            assertThat(models.requests.getFirst().tools())
                    .extracting(ToolOffer::line)
                    .contains("edit", "tool web.echo");
            assertThat(played.seen).contains("with X-Secret w-123456");
            // The same list each time: what comes first in a prompt is what providers cache.
            assertThat(models.requests.stream().map(ModelRequest::tools).distinct()).hasSize(1);
        }
    }

    @Test
    void rules_are_matched_with_the_server_and_the_tool() throws Exception {
        agent("model: m\nprotection: manual\nallow: [web.list*]\ndeny: [web.drop*]");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                commands(
                                        List.of(
                                                "tool web.list_all {}",
                                                "tool web.drop_table {\"t\":1}",
                                                "tool web.echo {\"what\":\"a; b\"}"),
                                        List.of("tool web.echo {\"what\":\"no\"}")));
        try (TestRunner test = TestRunner.start(dir, models, KEYS, null)) {
            test.recorder.await("alice is AWAITING_APPROVAL: tool web.echo {\"what\":\"a; b\"}");
            assertThat(test.log("alice"))
                    .contains("OUTPUT: error: denied: commands like 'web.drop*' never run here");
            assertThat(calls(played))
                    .containsExactly("tools/call {\"name\":\"list_all\",\"arguments\":{}}");
            decide(test, ApprovalChoice.ONCE);
            test.recorder.await("alice OUTPUT: {\"what\":\"a; b\"}");
            test.recorder.await("alice is AWAITING_APPROVAL: tool web.echo {\"what\":\"no\"}");
            decide(test, ApprovalChoice.DENY);
            test.recorder.await("alice OUTPUT: error: denied by a person");
            assertThat(calls(played)).hasSize(2);
        }
    }

    @Test
    void a_call_that_waits_for_a_person_waits_over_a_restart() throws Exception {
        agent("model: m\nprotection: manual");
        PlayedModels models =
                new PlayedModels().model("m", commands(List.of("tool web.echo {\"what\":\"hi\"}")));
        try (TestRunner test = TestRunner.start(dir, models, KEYS, null)) {
            test.recorder.await("alice is AWAITING_APPROVAL");
        }
        try (TestRunner test = TestRunner.start(dir, models, KEYS, null)) {
            test.recorder.await("alice is AWAITING_APPROVAL: tool web.echo");
            decide(test, ApprovalChoice.ONCE);
            test.recorder.await("alice OUTPUT: {\"what\":\"hi\"}");
            assertThat(calls(played)).hasSize(1);
        }
    }

    @Test
    void an_agent_whose_server_is_not_there_is_told_so_and_works_on() throws Exception {
        TestRunner.agent(
                dir,
                "alice",
                "prompt: x\nmodel: m\ntools: [{ name: web, url: \"http://127.0.0.1:1/mcp\" }]\n");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                commands(List.of("tool web.echo {}", "echo works", "tool x.y")));
        try (TestRunner test = TestRunner.start(dir, models, KEYS, null)) {
            test.recorder.await(
                    "alice NOTICE: the tools of 'web' are not there: it cannot be reached; 'tool list' tries again");
            test.recorder.await("alice OUTPUT: error: the server 'web' cannot be reached");
            test.recorder.await("alice OUTPUT: works");
            test.recorder.await("alice OUTPUT: error: there is no server 'x'; there are: web");
            assertThat(PlayedModels.sight(models.requests.getFirst()))
                    .contains("the tools of 'web' are not there");
        }
    }

    @Test
    void a_call_is_given_up_when_its_turn_is_cancelled() throws Exception {
        var silence = new CompletableFuture<List<String>>();
        var silent =
                new PlayedToolServer(
                        message ->
                                switch (message.path("method").asString("")) {
                                    case "initialize" -> List.of(PlayedToolServer.welcome(message));
                                    case "tools/list" ->
                                            List.of(
                                                    PlayedToolServer.answer(
                                                            message, "{\"tools\":[]}"));
                                    case "tools/call" -> silence.join();
                                    default -> List.of();
                                });
        TestRunner.agent(
                dir,
                "alice",
                "prompt: x\nmodel: m\ntools: [{ name: web, url: \"%s\" }]\n"
                        .formatted(silent.address()));
        PlayedModels models = new PlayedModels().model("m", commands(List.of("tool web.slow {}")));
        try (silent;
                TestRunner test = TestRunner.start(dir, models, KEYS, null)) {
            test.recorder.await("alice COMMAND: tool web.slow");
            Eventually.holds("the call is under way", () -> !calls(silent).isEmpty());
            var unused = test.runner.agentService().cancel("alice");
            test.recorder.await("alice OUTPUT: [cancelled by a person]");
            test.recorder.await("alice is PAUSED");
        } finally {
            silence.complete(List.of());
        }
    }

    @ParameterizedTest
    @CsvSource({"claude, 0.30", "gpt, 0.20", "gemini-level, 0.20", "local, 0.20"})
    void what_tools_add_to_each_prompt_is_within_the_limit(String model, String limit)
            throws Exception {
        try (var provider =
                new GreedyProvider(turn -> "tool web.echo {\"what\":\"%d 语言\"}".formatted(turn))) {
            provider.writeTable(dir);
            agent("model: %s\nspend_limit: %s\ntoken_limit: 1000000".formatted(model, limit));
            var models =
                    new ConfiguredModels(
                            () -> ModelTable.read(dir.resolve("models.yaml")),
                            name -> Optional.empty(),
                            TestRunner.CLOCK);
            try (TestRunner test = TestRunner.start(dir, models, KEYS, null)) {
                test.recorder.await("alice is OVER_BUDGET", "this agent's limit is $" + limit);
                assertThat(calls(played)).isNotEmpty();
                assertThat(provider.charged.get())
                        .isPositive()
                        .isLessThanOrEqualTo(Dollars.parse(limit).micros());
                assertThat(provider.calls.getFirst().request().toString()).contains("does echo");
            }
        }
    }

    @Test
    void old_and_new_calls_read_the_same_after_a_restart() throws Exception {
        agent("model: m");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                request ->
                                        switch (replies(request)) {
                                            case 0 -> answer(List.of("tool web.echo {\"n\":1}"));
                                            default -> answer(List.of("session wait"));
                                        });
        String before;
        try (TestRunner test = TestRunner.start(dir, models, KEYS, null)) {
            test.recorder.await("alice is WAITING");
            before = PlayedModels.sight(models.requests.getLast());
        }
        try (TestRunner test = TestRunner.start(dir, models, KEYS, null)) {
            test.recorder.await("alice is WAITING");
            assertThat(PlayedModels.sight(models.requests.getLast())).startsWith(before.strip());
        }
    }

    private static final String PROGRAM =
            """
            echo "starting $$" >&2
            while read -r line; do
              id=${line##*'"id":'}; id=${id%%[,\\}]*}
              case $line in
              *'"initialize"'*) r='{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"p","version":"1"}}' ;;
              *'"tools/list"'*) r='{"tools":[{"name":"env","inputSchema":{"type":"object"}},{"name":"die","inputSchema":{"type":"object"}}]}' ;;
              *'"die"'*) echo 'out of ideas' >&2; exit 3 ;;
              *'"tools/call"'*) r="{\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"pid $$ in $PWD, shell's ${SHELLS:-hidden}, own ${OWN_KEY}\\"}]}" ;;
              *) continue ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$r"
            done
            """;

    @Test
    void a_program_runs_in_the_agents_folder_with_its_own_variables_and_ends_with_the_agent()
            throws Exception {
        Path script = dir.resolve("server.sh");
        Files.writeString(script, PROGRAM);
        TestRunner.agent(
                dir,
                "alice",
                """
                prompt: x
                model: m
                env: { SHELLS: "shells own" }
                tools: [{ name: box, command: [bash, "%s"], env: { OWN_KEY: "${env.BOX_KEY}" } }]
                """
                        .formatted(script));
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                commands(
                                        List.of("tool box.env {}", "tool box.die {}"),
                                        List.of("tool box.env {\"again\":1}")));
        try (TestRunner test = TestRunner.start(dir, models, Map.of("BOX_KEY", "k-123456"), null)) {
            test.recorder.await("alice OUTPUT: pid", "in " + dir.resolve("work/alice"));
            test.recorder.await("alice OUTPUT: ", "shell's hidden, own [");
            test.recorder.await("error: the server 'box' ended:", "out of ideas");
            test.recorder.await(2, "alice OUTPUT: pid");
            assertThat(test.log("alice")).noneMatch(line -> line.contains("k-123456"));
        }
        assertThat(
                        ProcessHandle.allProcesses()
                                .filter(
                                        each ->
                                                each.info()
                                                        .commandLine()
                                                        .orElse("")
                                                        .contains(script.toString()))
                                .filter(ProcessHandle::isAlive))
                .isEmpty();
    }
}
