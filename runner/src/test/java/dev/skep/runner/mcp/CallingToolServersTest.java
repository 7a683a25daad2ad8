package dev.skep.runner.mcp;

import static dev.skep.runner.mcp.PlayedToolServer.answer;
import static dev.skep.runner.mcp.PlayedToolServer.text;
import static dev.skep.runner.mcp.PlayedToolServer.tool;
import static dev.skep.runner.mcp.PlayedToolServer.welcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.models.ToolOffer;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentPlaceholders;
import dev.skep.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Servers as they should be, and as they should not. */
final class CallingToolServersTest {
    private static final String PROGRAM = "{ name: files, command: [server] }";

    private static ToolServers servers(PlayedToolServer played, String server, String... more) {
        String yaml =
                "prompt: x\nmodel: m\n%s\ntools: [%s]\n"
                        .formatted(
                                String.join(
                                        "\n",
                                        more.length == 0
                                                ? new String[] {"command_timeout: 1s"}
                                                : more),
                                server);
        var file =
                (BindingResult.Value<AgentFile>)
                        YamlBinder.parse("alice.yaml", yaml, AgentFile.class);
        Map<String, String> environment = Map.of("TOKEN", "t-123456");
        return AgentToolServers.of(
                file.value(), new AgentPlaceholders(Map.of(), environment::get), played);
    }

    private static String call(ToolServers servers, String line) throws InterruptedException {
        return servers.call(ToolCommandLine.of(line).orElseThrow());
    }

    /** The usual beginning, and something of the test's own for calls. */
    private static PlayedToolServer calling(PlayedToolServer.Play calls) {
        return new PlayedToolServer(
                message ->
                        switch (message.path("method").asString("")) {
                            case "initialize" -> List.of(welcome(message));
                            case "tools/list" -> List.of(list(message, "", tool("t")));
                            case "tools/call" -> calls.lines(message);
                            default -> List.of();
                        });
    }

    private static String list(JsonNode message, String more, String... tools) {
        return answer(message, "{\"tools\":[%s]%s}".formatted(String.join(",", tools), more));
    }

    @Test
    void a_program_is_greeted_and_its_tools_are_offered_and_called() throws Exception {
        try (var played = PlayedToolServer.echo();
                ToolServers servers = servers(played, PROGRAM)) {
            assertThat(servers.offers()).isEmpty();
            assertThat(played.starts).hasValue(0);
            assertThat(servers.refresh()).isEmpty();
            assertThat(servers.offers())
                    .extracting(ToolOffer::name, ToolOffer::line, ToolOffer::description)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(
                                    "files__echo", "tool files.echo", "does echo"));
            assertThat(call(servers, "files.echo {\"what\": \"ü\"}")).isEqualTo("{\"what\":\"ü\"}");
            assertThat(played.seen)
                    .element(0)
                    .asString()
                    .startsWith("initialize {\"protocolVersion\":\"2025-06-18\"");
            assertThat(played.seen)
                    .contains(
                            "notifications/initialized",
                            "tools/call {\"name\":\"echo\",\"arguments\":{\"what\":\"ü\"}}");
            assertThat(played.starts).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_server_at_an_address_answers_with_json_or_events(boolean events) throws Exception {
        try (var played = PlayedToolServer.echo()) {
            played.asEvents = events;
            String server =
                    "{ name: web, url: \"%s\", headers: { X-Secret: \"${env.TOKEN}\" } }"
                            .formatted(played.address());
            try (ToolServers servers = servers(played, server)) {
                assertThat(servers.refresh()).isEmpty();
                assertThat(call(servers, "web.echo {\"a\":1}")).isEqualTo("{\"a\":1}");
                assertThat(played.seen).contains("with X-Secret t-123456");
                // What the server certainly did not do is done with a new session.
                played.forgetful = true;
                assertThat(call(servers, "web.echo {\"a\":2}")).isEqualTo("{\"a\":2}");
            }
        }
    }

    @Test
    void a_list_is_read_page_by_page_and_no_further_than_its_bounds() throws Exception {
        var played =
                new PlayedToolServer(
                        message ->
                                switch (message.path("method").asString("")) {
                                    case "initialize" -> List.of(welcome(message));
                                    case "tools/list" -> {
                                        String at =
                                                message.path("params").path("cursor").asString("0");
                                        int next = Integer.parseInt(at) + 1;
                                        String[] tools =
                                                IntStream.range(0, 10)
                                                        .mapToObj(i -> tool("t" + at + "_" + i))
                                                        .toArray(String[]::new);
                                        yield List.of(
                                                list(
                                                        message,
                                                        ",\"nextCursor\":\"%d\"".formatted(next),
                                                        tools));
                                    }
                                    default -> List.of();
                                });
        try (played;
                ToolServers servers = servers(played, PROGRAM)) {
            assertThat(servers.refresh())
                    .containsExactly(
                            "of the tools of 'files' 64 are used and 136 are left out: wrong names, or too much of them");
            assertThat(servers.offers()).hasSize(64);
            assertThat(played.seen.stream().filter(line -> line.startsWith("tools/list")))
                    .hasSize(20);
        }
    }

    @Test
    void names_that_providers_refuse_are_changed_and_stay_apart() throws Exception {
        var played =
                new PlayedToolServer(
                        message ->
                                switch (message.path("method").asString("")) {
                                    case "initialize" -> List.of(welcome(message));
                                    case "tools/list" ->
                                            List.of(
                                                    list(
                                                            message,
                                                            "",
                                                            tool("a.b"),
                                                            tool("a/b"),
                                                            tool("x".repeat(100)),
                                                            tool("two words")));
                                    default -> List.of();
                                });
        try (played;
                ToolServers servers = servers(played, PROGRAM)) {
            List<String> unused = servers.refresh();
            assertThat(servers.offers())
                    .extracting(ToolOffer::name)
                    .containsExactly("files__a_b", "files__a_b_1", "files__" + "x".repeat(57));
            assertThat(servers.offers())
                    .extracting(ToolOffer::line)
                    .contains("tool files.a.b", "tool files.a/b");
        }
    }

    @Test
    void what_a_tool_answers_is_text_and_no_longer_than_an_output() throws Exception {
        var played =
                calling(
                        message ->
                                switch (message.at("/params/arguments/n").asInt(0)) {
                                    case 1 ->
                                            List.of(
                                                    answer(
                                                            message,
                                                            "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"no such row\"}]}"));
                                    case 2 ->
                                            List.of(
                                                    answer(
                                                            message,
                                                            "{\"content\":[{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"},{\"type\":\"resource_link\",\"uri\":\"file:///a\"}]}"));
                                    case 3 ->
                                            List.of(
                                                    answer(
                                                            message,
                                                            "{\"content\":[],\"structuredContent\":{\"rows\":3}}"));
                                    case 4 -> List.of(answer(message, text("é".repeat(5_000))));
                                    default ->
                                            List.of(
                                                    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32602,\"message\":\"bad\\narguments\"}}"
                                                            .formatted(message.path("id")));
                                });
        try (played;
                ToolServers servers = servers(played, PROGRAM, "output_limit: 200")) {
            assertThat(call(servers, "files.t {\"n\":1}")).isEqualTo("error: no such row");
            assertThat(call(servers, "files.t {\"n\":2}"))
                    .isEqualTo("[image/png, 4 characters of base64]\n[file:///a]");
            assertThat(call(servers, "files.t {\"n\":3}")).isEqualTo("{\"rows\":3}");
            assertThat(call(servers, "files.t {\"n\":4}"))
                    .hasSizeLessThan(300)
                    .contains("[... 4,800 characters omitted ...]");
            assertThat(call(servers, "files.t {\"n\":5}"))
                    .isEqualTo("error: the server 'files' refused: bad arguments");
        }
    }

    @Test
    void a_silent_server_costs_a_call_and_is_told_that_nobody_waits() throws Exception {
        AtomicBoolean silent = new AtomicBoolean(true);
        var played =
                calling(
                        message ->
                                silent.get()
                                        ? List.of()
                                        : List.of(answer(message, text("here again"))));
        try (played;
                ToolServers servers = servers(played, PROGRAM)) {
            assertThat(call(servers, "files.t {}"))
                    .isEqualTo("error: the server 'files' did not answer for 1 s");
            silent.set(false);
            assertThat(call(servers, "files.t {}")).isEqualTo("here again");
            assertThat(played.seen).anyMatch(line -> line.startsWith("notifications/cancelled"));
            assertThat(played.starts).hasValue(1);
        }
    }

    @Test
    void a_server_that_ends_says_why_and_is_started_again_for_the_next_call() throws Exception {
        AtomicBoolean dies = new AtomicBoolean(true);
        var played =
                calling(
                        message ->
                                dies.getAndSet(false)
                                        ? null
                                        : List.of(answer(message, text("well"))));
        played.errors = "Error: cannot open\n  the database\n";
        try (played;
                ToolServers servers = servers(played, PROGRAM)) {
            assertThat(call(servers, "files.t {}"))
                    .isEqualTo("error: the server 'files' ended: Error: cannot open the database");
            assertThat(call(servers, "files.t {}")).isEqualTo("well");
            assertThat(played.starts).hasValue(2);
        }
    }

    @Test
    void garbage_floods_and_endless_lines_end_the_connection_and_nothing_else() throws Exception {
        List<String> flood = new ArrayList<>();
        for (int i = 0; i < 10_100; i++) {
            flood.add("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}");
        }
        var played =
                calling(
                        message ->
                                switch (message.at("/params/arguments/n").asInt(0)) {
                                    case 1 -> List.of("Listening on port 8080");
                                    case 2 -> flood;
                                    case 3 -> List.of("x".repeat(3 * 1024 * 1024));
                                    default -> List.of(answer(message, text("fine")));
                                });
        try (played;
                ToolServers servers = servers(played, PROGRAM, "command_timeout: 10s")) {
            assertThat(call(servers, "files.t {\"n\":1}"))
                    .isEqualTo(
                            "error: the server 'files' sent what is not JSON: Listening on port 8080");
            assertThat(call(servers, "files.t {\"n\":2}"))
                    .isEqualTo("error: the server 'files' sent 10,000 lines and no answer");
            assertThat(call(servers, "files.t {\"n\":3}"))
                    .isEqualTo("error: the server 'files' sent more than 2,048 KB at once");
            assertThat(call(servers, "files.t {}")).isEqualTo("fine");
        }
    }

    @Test
    void what_a_server_asks_of_us_is_answered() throws Exception {
        var played =
                calling(
                        message ->
                                List.of(
                                        "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}",
                                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sampling/createMessage\",\"params\":{}}",
                                        answer(message, text("done"))));
        try (played;
                ToolServers servers = servers(played, PROGRAM)) {
            assertThat(call(servers, "files.t {}")).isEqualTo("done");
            assertThat(call(servers, "files.t {}")).isEqualTo("done");
            assertThat(played.seen.stream().filter("answer"::equals)).hasSizeGreaterThan(1);
        }
    }

    @Test
    void a_server_that_is_not_there_is_told_of_once_and_tried_when_asked_for() throws Exception {
        var played =
                new PlayedToolServer(
                        message ->
                                message.path("method").asString("").equals("initialize")
                                        ? List.of(answer(message, "{\"protocolVersion\":\"1.0\"}"))
                                        : List.of());
        try (played;
                ToolServers servers = servers(played, PROGRAM)) {
            assertThat(servers.refresh())
                    .containsExactly(
                            "the tools of 'files' are not there: it speaks the revision '1.0' only; 'tool list' tries again");
            assertThat(servers.refresh()).isEmpty();
            assertThat(played.starts).hasValue(1);
            assertThat(servers.describe())
                    .isEqualTo("files: not there: it speaks the revision '1.0' only");
            assertThat(played.starts).hasValue(2);
        }
    }

    @Test
    void a_list_that_changed_is_read_again_before_the_next_turn() throws Exception {
        AtomicBoolean more = new AtomicBoolean();
        var played =
                new PlayedToolServer(
                        message ->
                                switch (message.path("method").asString("")) {
                                    case "initialize" -> List.of(welcome(message));
                                    case "tools/list" ->
                                            List.of(
                                                    more.get()
                                                            ? list(
                                                                    message, "", tool("t"),
                                                                    tool("u"))
                                                            : list(message, "", tool("t")));
                                    case "tools/call" -> {
                                        more.set(true);
                                        yield List.of(
                                                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}",
                                                answer(message, text("done")));
                                    }
                                    default -> List.of();
                                });
        try (played;
                ToolServers servers = servers(played, PROGRAM)) {
            List<String> unused = servers.refresh();
            List<ToolOffer> before = servers.offers();
            assertThat(servers.refresh()).isEmpty();
            assertThat(servers.offers()).isSameAs(before);
            assertThat(call(servers, "files.t {}")).isEqualTo("done");
            assertThat(servers.refresh()).isEmpty();
            assertThat(servers.offers())
                    .extracting(ToolOffer::line)
                    .containsExactly("tool files.t", "tool files.u");
        }
    }

    @Test
    void an_interrupt_gives_a_call_up() throws Exception {
        var played = calling(message -> List.of());
        try (played;
                ToolServers servers = servers(played, PROGRAM, "command_timeout: 1h")) {
            Thread caller = Thread.currentThread();
            Thread.ofVirtual()
                    .start(
                            () -> {
                                Eventually.holds(
                                        "the call is under way",
                                        () ->
                                                played.seen.stream()
                                                        .anyMatch(
                                                                line ->
                                                                        line.startsWith(
                                                                                "tools/call")));
                                caller.interrupt();
                            });
            assertThatThrownBy(() -> call(servers, "files.t {}"))
                    .isInstanceOf(InterruptedException.class);
        }
    }
}
