package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.kernel.job.JobKind;
import dev.skep.kernel.job.JobPermissions;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The whole product in one process, and an agent with a key that wants more than it may. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentsWithKeysTest {
    private static final String NONSENSE = "01JZZZZZZZZZZZZZZZZZZZZZZZ";

    /** What changes something, or may, and lets an agent in; each says why it does no harm. */
    private static final Map<String, String> OPEN =
            Map.ofEntries(
                    Map.entry("POST /api/orgs/{org}/jobs", "the types its org grants"),
                    Map.entry("POST /api/orgs/{org}/jobs/{job}/cancel", "its own jobs"),
                    Map.entry("POST /api/orgs/{org}/jobs/{job}/retry", "its own jobs"),
                    Map.entry("POST /mcp", "calls other routes as itself"),
                    Map.entry("POST /api/session", "signs a person in who knows a password"),
                    Map.entry("POST /api/session/link", "signs a person in who has a link"),
                    Map.entry("POST /api/link/challenge", "a number for hosts to sign"),
                    Map.entry("POST /api/link/enrol", "needs a code or key for hosts"),
                    Map.entry("POST /api/link/token", "needs a host's signature"),
                    Map.entry("POST /api/link/rotate", "needs a host's two signatures"),
                    Map.entry(
                            "POST /api/session/identity",
                            "signs a person in whom a provider knows"),
                    Map.entry(
                            "POST /api/session/providers/{provider}",
                            "sends a browser to a provider"));

    private final Lifecycle lifecycle = new Lifecycle();
    private final HttpClient client = HttpClient.newHttpClient();
    private String url = "";
    private String agentKey = "";
    private String host = "";
    private @Nullable HttpVisitor local;

    @BeforeAll
    void open(@TempDir Path data) throws Exception {
        Assembly.Opened product =
                new Assembly(TestSettings.up(data), lifecycle, data, "test")
                        .open(Composition.UP, Terminal.none());
        url = product.url();
        local = HttpVisitor.local(url, data);
        Eventually.holds("alice is known at the hub", () -> !agent(product).isEmpty());
        admin().post("/api/orgs/default/operators", Map.of("username", "bot", "role", "operator"));
        admin().post("/api/orgs/default/operators", Map.of("username", "looker", "role", "viewer"));
        agentKey =
                admin().post(
                                "/api/orgs/default/keys",
                                Map.of("kind", "agent", "agentId", agent(product)))
                        .text("secret");
        host =
                product.main()
                        .database()
                        .read(
                                db ->
                                        db.first(
                                                "SELECT host_id FROM users WHERE username = 'alice'",
                                                row -> row.text("host_id")))
                        .orElseThrow();
    }

    private static String agent(Assembly.Opened product) {
        return product.main()
                .database()
                .read(
                        db ->
                                db.first(
                                        "SELECT id FROM users WHERE username = 'alice'",
                                        row -> row.text("id")))
                .orElse("");
    }

    private HttpVisitor admin() {
        return Optional.ofNullable(local).orElseThrow();
    }

    @AfterAll
    void close() {
        client.shutdownNow();
        lifecycle.close();
    }

    @Test
    void every_route_that_changes_something_refuses_the_key_unless_it_is_listed() throws Exception {
        JsonNode paths = Json.fields(admin().get("/api/openapi.json").body()).value("paths");
        Set<String> open = new TreeSet<>();
        List<String> refused = new ArrayList<>();
        for (String path : paths.propertyNames()) {
            for (String method : paths.get(path).propertyNames()) {
                if (method.equals("get")) {
                    continue;
                }
                String route = method.toUpperCase(Locale.ROOT) + " " + path;
                int status =
                        send(agentKey, method.toUpperCase(Locale.ROOT), filled(path), "{}")
                                .statusCode();
                if (status == 403) {
                    refused.add(route);
                } else {
                    open.add(route);
                }
            }
        }
        assertThat(open).isEqualTo(new TreeSet<>(OPEN.keySet()));
        assertThat(refused)
                .hasSizeGreaterThan(30)
                .contains(
                        "POST /api/orgs/{org}/approvals/{approval}",
                        "POST /api/runner/approvals/{approval}/approve",
                        "PATCH /api/orgs/{org}/job-policy",
                        "PATCH /api/orgs/{org}/hosts/{host}");
    }

    private static String filled(String path) {
        return path.replace("{org}", "default").replaceAll("\\{[a-z]+}", NONSENSE);
    }

    @Test
    void over_mcp_it_may_ask_for_what_it_may_over_http_and_nothing_else() throws Exception {
        Map<String, Boolean> done = new TreeMap<>();
        Map<String, Boolean> expected = new TreeMap<>();
        for (JobKind kind : JobKind.values()) {
            if (kind.type().startsWith("server.")) {
                continue;
            }
            boolean may = JobPermissions.GRANTED_AT_FIRST.contains(kind.type());
            expected.put(kind.type(), may);
            done.put(kind.type(), !called("create_job", job(kind.type())).flag("isError"));
        }
        assertThat(done).isEqualTo(expected);
        assertThat(
                        called("control_agent", Map.of("agent", "alice", "action", "stop"))
                                .flag("isError"))
                .isTrue();
        assertThat(
                        called("send_mail", Map.of("to", "bob", "subject", "s", "body", "b"))
                                .flag("isError"))
                .isTrue();
    }

    @Test
    void a_key_that_speaks_for_an_operator_may_what_the_operator_may() throws Exception {
        for (JobKind kind : JobKind.values()) {
            if (!kind.type().startsWith("server.")) {
                String body = Json.text(job(kind.type()));
                assertThat(send(key("bot"), "POST", "/api/orgs/default/jobs", body).statusCode())
                        .as(kind.type())
                        .isEqualTo(kind.isFileChange() || kind.isAboutSecrets() ? 400 : 201);
                assertThat(send(key("looker"), "POST", "/api/orgs/default/jobs", body).statusCode())
                        .as(kind.type())
                        .isEqualTo(403);
            }
        }
    }

    /** For an agent that is not there: who may ask is asked here, not what comes of it. */
    private Map<String, Object> job(String type) {
        return Map.of(
                "hostId",
                host,
                "type",
                type,
                "payload",
                Map.of(
                        "command", "true",
                        "agent", "nobody",
                        "task", "t",
                        "text", "t",
                        "name", "n",
                        "approval", NONSENSE,
                        "sealed", "s"));
    }

    private String key(String operator) throws IOException, InterruptedException {
        return admin().post(
                        "/api/orgs/default/keys",
                        Map.of("kind", "api", "label", "test", "operator", operator))
                .text("secret");
    }

    private JsonFields called(String tool, Map<String, ?> arguments) throws Exception {
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
                                Map.of("name", tool, "arguments", arguments)));
        HttpResponse<String> answer = send(agentKey, "POST", "/mcp", message);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.fields(answer.body()).object("result").orElseThrow();
    }

    private HttpResponse<String> send(String key, String method, String path, String body)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url + path))
                        .timeout(Duration.ofSeconds(20))
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
