package dev.skep.transport.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.skep.transport.mcp.ToolDescription.Effect;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of the revision 2026-07-28, each of which says for itself what it speaks. */
class SpeakingWithoutAHandshakeTest {
    private static final String REVISION = "2026-07-28";
    private static final String VERSION = "io.modelcontextprotocol/protocolVersion";
    private static final String CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    private static final ToolDescription LOOK =
            new ToolDescription(
                    "look", "Looks.", List.of(ToolArgument.text("at", "What.")), Effect.READS);
    private static final ToolDescription SPEND =
            new ToolDescription("spend", "Spends.", List.of(), Effect.CHANGES);

    private final McpServer server = new McpServer("1.2.3", "Be kind.");
    private final List<String> called = new ArrayList<>();

    private final McpServer.Tools tools =
            new McpServer.Tools() {
                @Override
                public List<ToolDescription> offered() {
                    return List.of(LOOK, SPEND);
                }

                @Override
                public ToolOutcome call(
                        ToolDescription tool, JsonFields arguments, CallInput input) {
                    called.add(tool.name() + " " + input.answer());
                    boolean ask = tool.equals(SPEND) && input.answer() != CallInput.Answer.YES;
                    return ask
                            ? new ToolOutcome.Question("Shall I spend?", "sealed")
                            : new ToolOutcome.Complete(ToolResult.json("{\"seen\":1}"));
                }
            };

    @Test
    void a_client_learns_what_the_server_speaks_offers_and_is_called() {
        JsonFields result = result(ask("server/discover", Map.of()));

        assertThat(result.shown("resultType")).isEqualTo("complete");
        assertThat(result.textList("supportedVersions")).containsExactly(REVISION);
        assertThat(result.object("capabilities").orElseThrow().has("tools")).isTrue();
        assertThat(result.shown("instructions")).isEqualTo("Be kind.");
        assertThat(result.number("ttlMs")).isPositive();
        assertThat(result.shown("cacheScope")).isEqualTo("private");
        JsonFields self =
                result.object("_meta")
                        .flatMap(meta -> meta.object("io.modelcontextprotocol/serverInfo"))
                        .orElseThrow();
        assertThat(self.shown("name")).isEqualTo("skep");
        assertThat(self.shown("version")).isEqualTo("1.2.3");
    }

    @Test
    void tools_are_listed_on_one_page_with_what_they_do_to_the_world() {
        JsonFields result = result(ask("tools/list", Map.of()));

        assertThat(result.number("ttlMs")).isPositive();
        assertThat(result.shown("cacheScope")).isEqualTo("private");
        assertThat(result.list("tools"))
                .extracting(
                        tool -> tool.shown("name"),
                        tool -> hint(tool, "readOnlyHint"),
                        tool -> hint(tool, "destructiveHint"))
                .containsExactly(tuple("look", true, false), tuple("spend", false, true));
        assertThat(error(ask("tools/list", Map.of("cursor", "2"))).number("code"))
                .isEqualTo(-32_602);
    }

    private static boolean hint(JsonFields tool, String name) {
        return tool.object("annotations").orElseThrow().flag(name);
    }

    @Test
    void a_call_is_complete_and_says_so() {
        JsonFields result = result(ask("tools/call", Map.of("name", "look")));

        assertThat(result.shown("resultType")).isEqualTo("complete");
        assertThat(result.object("structuredContent").orElseThrow().number("seen")).isEqualTo(1);
        assertThat(result.flag("isError")).isFalse();
        assertThat(result.has("_meta")).isTrue();
    }

    @Test
    void a_call_that_needs_a_persons_yes_asks_for_it_and_is_made_when_it_comes_back() {
        Map<String, Object> call = Map.of("name", "spend");
        JsonFields asked = result(new Asked("tools/call", call).canAsk().send());

        assertThat(asked.shown("resultType")).isEqualTo("input_required");
        assertThat(asked.shown("requestState")).isEqualTo("sealed");
        JsonFields question =
                asked.object("inputRequests").flatMap(all -> all.object("yes")).orElseThrow();
        assertThat(question.shown("method")).isEqualTo("elicitation/create");
        JsonFields form = question.object("params").orElseThrow();
        assertThat(form.shown("mode")).isEqualTo("form");
        assertThat(form.shown("message")).isEqualTo("Shall I spend?");
        assertThat(form.object("requestedSchema").orElseThrow().shown("type")).isEqualTo("object");

        for (String action : List.of("accept", "decline", "cancel")) {
            new Asked("tools/call", answered(call, action)).canAsk().send();
        }
        assertThat(called).containsExactly("spend MISSING", "spend YES", "spend NO", "spend NO");

        McpAnswer malformed = new Asked("tools/call", answered(call, "perhaps")).canAsk().send();
        assertThat(error(malformed).shown("message"))
                .contains("inputResponses.yes.action must be accept, decline or cancel");
    }

    private static Map<String, Object> answered(Map<String, Object> call, String action) {
        Map<String, Object> again = new HashMap<>(call);
        again.put("requestState", "sealed");
        again.put("inputResponses", Map.of("yes", Map.of("action", action)));
        return again;
    }

    @Test
    void a_client_that_cannot_ask_a_person_is_told_the_capability_that_it_lacks() {
        McpAnswer answer = ask("tools/call", Map.of("name", "spend"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(error(answer).number("code")).isEqualTo(-32_021);
        assertThat(error(answer).object("data").orElseThrow().json())
                .isEqualTo("{\"requiredCapabilities\":{\"elicitation\":{\"form\":{}}}}");
        Map<String, Object> before =
                server.answer(request(2, "tools/call", Map.of("name", "spend")), tools);
        JsonFields refused = result(new McpAnswer(200, before));
        assertThat(refused.flag("isError")).isTrue();
        assertThat(refused.list("content").getFirst().shown("text"))
                .contains("needs a person's yes", "Shall I spend?")
                .endsWith("[forbidden]");
    }

    @Test
    void headers_that_are_missing_or_say_something_else_than_the_body_are_refused() {
        Asked call = new Asked("tools/call", Map.of("name", "look"));
        assertThat(call.send().status()).isEqualTo(200);

        for (String header : List.of("mcp-protocol-version", "mcp-method", "mcp-name")) {
            assertMismatch(call.header(header, null), header + " is missing");
            assertMismatch(call.header(header, "other"), header + " is 'other'");
        }
        assertMismatch(call.header("mcp-method", "TOOLS/CALL"), "mcp-method is 'tools/call'");
        assertMismatch(call.header("mcp-name", "=?base64?%%%?="), "mcp-name is '=?base64?%%%?='");
        assertThat(called).hasSize(1);
    }

    private static void assertMismatch(Asked asked, String why) {
        McpAnswer answer = asked.send();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(error(answer).number("code")).isEqualTo(-32_020);
        assertThat(error(answer).shown("message").toLowerCase(Locale.ROOT)).contains(why);
    }

    @Test
    void a_name_may_be_encoded_in_its_header() {
        String encoded =
                "=?base64?"
                        + Base64.getEncoder()
                                .encodeToString("look".getBytes(StandardCharsets.UTF_8))
                        + "?=";

        assertThat(
                        new Asked("tools/call", Map.of("name", "look"))
                                .header("mcp-name", encoded)
                                .send()
                                .status())
                .isEqualTo(200);
    }

    @Test
    void another_revision_is_refused_with_those_that_are_spoken() {
        McpAnswer answer = new Asked("tools/list", Map.of()).revision("2027-01-01").send();

        assertThat(answer.status()).isEqualTo(400);
        assertThat(error(answer).number("code")).isEqualTo(-32_022);
        JsonFields data = error(answer).object("data").orElseThrow();
        assertThat(data.shown("requested")).isEqualTo("2027-01-01");
        assertThat(data.textList("supported"))
                .containsExactly(REVISION, "2025-06-18", "2025-11-25", "2025-03-26");

        McpAnswer byHeaderOnly =
                server.answer(
                        request(1, "ping", Map.of()),
                        headers(Map.of("mcp-protocol-version", "1999-01-01")),
                        tools);
        assertThat(error(byHeaderOnly).number("code")).isEqualTo(-32_022);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'VERSION':'2026-07-28'}",
                "{'VERSION':'2026-07-28','CAPABILITIES':[]}",
                "{'VERSION':'2026-07-28','CAPABILITIES':{},'io.modelcontextprotocol/clientInfo':{}}",
                "{'VERSION':'2026-07-28','CAPABILITIES':{},'io.modelcontextprotocol/clientInfo':7}"
            })
    void a_request_whose_meta_lacks_something_is_malformed(String meta) {
        Map<String, Object> parameters =
                Map.of(
                        "_meta",
                        Json.raw(
                                meta.replace('\'', '"')
                                        .replace("VERSION", VERSION)
                                        .replace("CAPABILITIES", CAPABILITIES)));
        McpAnswer answer =
                server.answer(
                        request(1, "tools/list", parameters),
                        headers(
                                Map.of(
                                        "mcp-protocol-version",
                                        REVISION,
                                        "mcp-method",
                                        "tools/list")),
                        tools);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(error(answer).number("code")).isEqualTo(-32_602);
        assertThat(error(answer).shown("message")).contains("_meta");
    }

    @ParameterizedTest
    @ValueSource(strings = {"initialize", "ping", "resources/list", "subscriptions/listen"})
    void a_method_that_this_revision_or_server_has_not_is_not_found(String method) {
        McpAnswer answer = ask(method, Map.of());

        assertThat(answer.status()).isEqualTo(404);
        assertThat(error(answer).number("code")).isEqualTo(-32_601);
    }

    @Test
    void a_fraction_is_no_id_and_an_unknown_tool_is_named() {
        Asked asked = new Asked("tools/list", Map.of());
        assertThat(error(asked.id("1.5")).number("code")).isEqualTo(-32_600);
        assertThat(asked.id("\"1.5\"").status()).isEqualTo(200);

        McpAnswer answer = ask("tools/call", Map.of("name", "dance"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(error(answer).shown("message")).contains("no tool dance; tools/list");
    }

    @Test
    void clients_of_earlier_revisions_go_on_as_before() {
        McpAnswer hello =
                server.answer(
                        request(1, "initialize", Map.of("protocolVersion", "2025-11-25")),
                        headers(Map.of()),
                        tools);
        assertThat(result(hello).shown("protocolVersion")).isEqualTo("2025-11-25");

        for (String revision : List.of("2025-03-26", "2025-06-18", "2025-11-25")) {
            McpAnswer answer =
                    server.answer(
                            request(2, "tools/call", Map.of("name", "look")),
                            headers(Map.of("mcp-protocol-version", revision)),
                            tools);
            assertThat(result(answer).has("resultType")).isFalse();
            assertThat(result(answer).flag("isError")).isFalse();
        }
        assertThat(server.answer(request(3, "ping", Map.of()), headers(Map.of()), tools).status())
                .isEqualTo(200);
    }

    private McpAnswer ask(String method, Map<String, Object> parameters) {
        return new Asked(method, parameters).send();
    }

    private static JsonFields result(McpAnswer answer) {
        assertThat(answer.status()).as(Json.text(answer.message())).isEqualTo(200);
        return Json.fields(Json.text(answer.message())).object("result").orElseThrow();
    }

    private static JsonFields error(McpAnswer answer) {
        return Json.fields(Json.text(answer.message())).object("error").orElseThrow();
    }

    private static McpMessage.Request request(
            int id, String method, Map<String, Object> parameters) {
        return read("" + id, method, parameters);
    }

    private static McpMessage.Request read(
            String id, String method, Map<String, Object> parameters) {
        byte[] json =
                Json.bytes(
                        Map.of(
                                "jsonrpc",
                                "2.0",
                                "id",
                                Json.raw(id),
                                "method",
                                method,
                                "params",
                                parameters));
        return (McpMessage.Request) McpMessage.read(json);
    }

    private static Request.Headers headers(Map<String, String> values) {
        return name -> Optional.ofNullable(values.get(name.toLowerCase(Locale.ROOT)));
    }

    /** A request as a client of this revision sends it, with its headers. */
    private final class Asked {
        private final String method;
        private final Map<String, Object> parameters;
        private final Map<String, String> headers = new HashMap<>();
        private final Map<String, Object> meta = new HashMap<>();

        Asked(String method, Map<String, Object> parameters) {
            this.method = method;
            this.parameters = parameters;
            headers.put("mcp-method", method);
            if (parameters.get("name") instanceof String name) {
                headers.put("mcp-name", name);
            }
            meta.put(CAPABILITIES, Map.of());
            revision(REVISION);
        }

        Asked revision(String revision) {
            headers.put("mcp-protocol-version", revision);
            meta.put(VERSION, revision);
            return this;
        }

        Asked canAsk() {
            meta.put(CAPABILITIES, Map.of("elicitation", Map.of()));
            return this;
        }

        /** Another one, with a header changed or taken away. */
        Asked header(String name, @Nullable String value) {
            Asked other = new Asked(method, parameters);
            if (value == null) {
                other.headers.remove(name);
            } else {
                other.headers.put(name, value);
            }
            return other;
        }

        McpAnswer send() {
            return id("1");
        }

        McpAnswer id(String id) {
            Map<String, Object> all = new HashMap<>(parameters);
            all.put("_meta", meta);
            return server.answer(read(id, method, all), headers(headers), tools);
        }
    }
}
