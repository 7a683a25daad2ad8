package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole product in one process, operated by MCP clients. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatedOverMcpTest {
    private final Lifecycle lifecycle = new Lifecycle();
    private final HttpClient client = HttpClient.newHttpClient();
    private String url = "";
    private @Nullable HttpVisitor local;

    @BeforeAll
    void open(@TempDir Path data) throws Exception {
        Assembly.Opened product =
                new Assembly(TestSettings.up(data), lifecycle, data, "test")
                        .open(Composition.UP, Terminal.none());
        url = product.url();
        local = HttpVisitor.local(url, data);
        Eventually.holds(
                "alice is known at the hub",
                () ->
                        product.main()
                                .database()
                                .read(
                                        db ->
                                                db.first(
                                                        "SELECT 1 FROM users WHERE username = 'alice'",
                                                        row -> true))
                                .isPresent());
        admin().post("/api/orgs/default/operators", Map.of("username", "bot", "role", "operator"));
        admin().post("/api/orgs/default/operators", Map.of("username", "looker", "role", "viewer"));
    }

    private HttpVisitor admin() {
        return Optional.ofNullable(local).orElseThrow();
    }

    @AfterAll
    void close() {
        lifecycle.close();
    }

    @ParameterizedTest
    @CsvSource({"1, ''", "2, 2026-07-28", "auto, 2026-07-28"})
    void a_stock_client_looks_around_writes_mail_and_has_a_job_done(
            String generation, String revision, @TempDir Path scratch) throws Exception {
        Optional<StockMcpClient> stock = StockMcpClient.installed(scratch);
        Assumptions.assumeTrue(stock.isPresent(), StockMcpClient.HOW_TO_INSTALL);

        JsonFields seen = stock.get().operate(generation, url, key("default", "bot"), "alice");

        assertThat(seen.shown("server")).isEqualTo("skep");
        assertThat(seen.shown("revision")).contains(revision);
        assertThat(seen.flag("instructions")).isTrue();
        assertThat(seen.textList("tools"))
                .contains("list_hosts", "list_agents", "list_budgets", "create_job", "get_job")
                .contains("read_mail", "send_mail", "control_agent");
        assertThat(seen.textList("destructive"))
                .contains("create_job", "cancel_job", "control_agent", "decide_approval")
                .doesNotContain("send_mail", "list_hosts", "read_costs");
        // What is answered is then checked by the client against what the tool said.
        assertThat(seen.textList("withoutSchema")).isEmpty();
        assertThat(seen.number("hosts")).isPositive();
        assertThat(seen.textList("agents")).contains("alice", "bob");
        assertThat(seen.textList("paged"))
                .containsExactlyInAnyOrderElementsOf(seen.textList("agents"));
        for (String list : List.of("nodes", "log", "costs", "sessions", "approvals", "alerts")) {
            assertThat(seen.flag(list)).as(list).isTrue();
        }
        assertThat(seen.object("sent").orElseThrow().shown("id")).isNotEmpty();
        assertThat(seen.textList("mail")).contains("from outside");
        assertThat(seen.shown("agent")).isEqualTo("alice");
        assertThat(seen.flag("host")).isTrue();
        assertThat(seen.flag("hostById")).isTrue();
        assertThat(seen.shown("status")).as(seen.json()).isEqualTo("succeeded");
        assertThat(seen.shown("retried")).as(seen.json()).isEqualTo("succeeded");
        assertThat(seen.number("jobs")).isEqualTo(1);
        assertThat(error(seen, "badNumber")).contains("from 0 to 60").endsWith("[bad_request]");
        assertThat(error(seen, "unknownField")).contains("colour");
        assertThat(error(seen, "unknownAgent")).contains("nobody").endsWith("[not_found]");
        assertThat(error(seen, "unknownHost")).contains("nowhere").endsWith("[not_found]");
        assertThat(error(seen, "unknownJob")).endsWith("[not_found]");
    }

    private static String error(JsonFields seen, String name) {
        return seen.object(name).orElseThrow().shown("error");
    }

    @Test
    void a_key_can_do_what_its_operator_may_and_nothing_after_it_is_revoked() throws Exception {
        String looking = key("default", "looker");
        assertThat(tool(looking, "list_hosts", Map.of()).flag("isError")).isFalse();
        JsonFields refused =
                tool(looking, "send_mail", Map.of("to", "alice", "subject", "s", "body", "b"));
        assertThat(refused.flag("isError")).isTrue();
        assertThat(refused.list("content").getFirst().shown("text")).endsWith("[forbidden]");

        String bot = key("default", "bot");
        assertThat(post(bot, "ping").statusCode()).isEqualTo(200);
        admin().change("/api/orgs/default/operators/bot", Map.of("disabled", true));
        assertThat(post(bot, "ping").statusCode()).isEqualTo(401);
        admin().change("/api/orgs/default/operators/bot", Map.of("disabled", false));
        assertThat(post("skep_api_nonsense", "ping").statusCode()).isEqualTo(401);
    }

    @Test
    void a_client_makes_an_agent_changes_its_file_and_rolls_back() throws Exception {
        String bot = key("default", "bot");
        String file = "username: nina\nprompt: x\nmodel: m\nauto_start: false\n";
        JsonFields made =
                tool(bot, "create_agent", Map.of("file", file, "where", "os!=plan9, cpus>=1"));
        assertThat(text(made)).contains("nina is made");
        Eventually.holds(
                "nina is known at the hub",
                () -> !tool(bot, "read_agent", Map.of("agent", "nina")).flag("isError"));
        String version = version(bot);
        assertThat(text(tool(bot, "create_agent", Map.of("file", file, "where", "gpu=a100"))))
                .contains("nobody has gpu=a100");

        JsonFields edited =
                tool(
                        bot,
                        "edit_agent",
                        Map.of(
                                "agent",
                                "nina",
                                "version",
                                version,
                                "file",
                                file + "turn_delay: 1s\n",
                                "reason",
                                "slower"));
        assertThat(text(edited)).contains("nina is changed");
        JsonFields stale =
                tool(bot, "edit_agent", Map.of("agent", "nina", "version", version, "file", file));
        assertThat(stale.flag("isError")).isTrue();
        assertThat(text(stale)).endsWith("[version_changed]");

        Eventually.holds("its version is at the hub", () -> version(bot).startsWith("2-"));
        assertThat(text(tool(bot, "list_agent_versions", Map.of("agent", "nina"))))
                .contains("slower", "operator bot");
        JsonFields back =
                tool(
                        bot,
                        "roll_back_agent",
                        Map.of("agent", "nina", "number", 1, "version", version(bot)));
        assertThat(text(back)).contains("nina is changed");
        assertThat(
                        text(
                                tool(
                                        key("default", "looker"),
                                        "edit_agent",
                                        Map.of("agent", "nina", "version", version, "file", file))))
                .endsWith("[forbidden]");
    }

    private static String text(JsonFields result) {
        return result.list("content").getFirst().shown("text");
    }

    private String version(String key) throws Exception {
        return Json.fields(text(tool(key, "read_agent", Map.of("agent", "nina"))))
                .object("version")
                .orElseThrow()
                .text("version");
    }

    @Test
    void another_orgs_key_sees_nothing_of_this_one() throws Exception {
        admin().post("/api/orgs", Map.of("id", "acme", "name", "acme"));
        admin().post("/api/orgs/acme/operators", Map.of("username", "eve", "role", "admin"));
        String eve = key("acme", "eve");
        JsonFields seen =
                tool(eve, "list_agents", Map.of()).object("structuredContent").orElseThrow();
        assertThat(seen.list("rows")).isEmpty();
    }

    @Test
    void what_is_no_message_or_comes_from_a_foreign_page_is_refused() throws Exception {
        String looking = key("default", "looker");
        assertThat(send(looking, "not json", "").statusCode()).isEqualTo(400);
        assertThat(send(looking, "[1]", "").body()).contains("-32600");
        assertThat(post(looking, "tools/dance").body()).contains("-32601");
        assertThat(
                        send(
                                        looking,
                                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                                        "")
                                .statusCode())
                .isEqualTo(202);
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        assertThat(send(looking, ping, "https://evil.example").statusCode()).isEqualTo(403);
        assertThat(send("", ping, "").statusCode()).isEqualTo(401);
        HttpResponse<String> stream =
                client.send(
                        HttpRequest.newBuilder(URI.create(url + "/mcp"))
                                .header("Authorization", "Bearer " + looking)
                                .build(),
                        BodyHandlers.ofString());
        assertThat(stream.statusCode()).isEqualTo(405);
    }

    @Test
    void headers_and_body_must_say_the_same_where_there_is_no_handshake() throws Exception {
        var looker = new StatelessMcpVisitor(url, key("default", "looker"));
        assertThat(looker.call("list_hosts", Map.of()).shown("resultType")).isEqualTo("complete");

        HttpResponse<String> other =
                looker.send("tools/call", "list_agents", Map.of("name", "list_hosts"));
        assertThat(other.statusCode()).isEqualTo(400);
        assertThat(other.body()).contains("-32020", "Mcp-Name is 'list_agents'");
        HttpResponse<String> gone = looker.send("ping", "", Map.of());
        assertThat(gone.statusCode()).isEqualTo(404);
        assertThat(gone.body()).contains("-32601");
    }

    private String key(String org, String operator) throws IOException, InterruptedException {
        return admin().post(
                        "/api/orgs/" + org + "/keys",
                        Map.of("kind", "api", "label", "mcp", "operator", operator))
                .text("secret");
    }

    private JsonFields tool(String key, String name, Map<String, ?> arguments)
            throws IOException, InterruptedException {
        String message =
                Json.text(
                        Map.of(
                                "jsonrpc",
                                "2.0",
                                "id",
                                "a",
                                "method",
                                "tools/call",
                                "params",
                                Map.of("name", name, "arguments", arguments)));
        HttpResponse<String> answer = send(key, message, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.fields(answer.body()).object("result").orElseThrow();
    }

    private HttpResponse<String> post(String key, String method)
            throws IOException, InterruptedException {
        return send(key, Json.text(Map.of("jsonrpc", "2.0", "id", 7, "method", method)), "");
    }

    private HttpResponse<String> send(String key, String body, String origin)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + "/mcp"))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(BodyPublishers.ofString(body));
        List.of(key).stream()
                .filter(k -> !k.isEmpty())
                .forEach(k -> request.header("Authorization", "Bearer " + k));
        if (!origin.isEmpty()) {
            request.header("Origin", origin);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
