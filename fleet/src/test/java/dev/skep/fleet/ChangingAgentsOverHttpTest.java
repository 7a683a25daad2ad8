package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole product in one process: what its API says to people who change agents. */
class ChangingAgentsOverHttpTest {
    private static final String AGENTS = "/api/orgs/default/agents";
    private static final String FILE =
            "# kept\nusername: nina\nprompt: x\nmodel: m\nauto_start: false\n";

    @TempDir private Path data = Path.of("");
    private final Lifecycle lifecycle = new Lifecycle();
    private @Nullable HttpVisitor local;
    private Assembly.@Nullable Opened product;

    @BeforeEach
    void open() throws Exception {
        Assembly.Opened opened =
                new Assembly(TestSettings.up(data), lifecycle, data, "test")
                        .open(Composition.UP, Terminal.none());
        product = opened;
        local = HttpVisitor.local(opened.url(), data);
        Eventually.holds(
                "the host is there",
                () -> {
                    String hosts = admin().get(AGENTS + "/hosts").body();
                    return hosts.contains("\"obstacle\":null");
                });
    }

    @AfterEach
    void close() {
        lifecycle.close();
    }

    private HttpVisitor admin() {
        return Optional.ofNullable(local).orElseThrow();
    }

    private String create() throws Exception {
        return admin().post(AGENTS, Map.of("file", FILE, "where", "any")).text("agent");
    }

    private static String etag(HttpResponse<String> answer) {
        return answer.headers().firstValue("ETag").orElse("");
    }

    @Test
    void an_agent_is_made_read_changed_and_removed_by_the_version_that_was_seen() throws Exception {
        String path = AGENTS + "/" + create();
        assertThat(data.resolve("agents/nina.yaml")).hasContent(FILE);
        HttpResponse<String> read = admin().get(path);
        assertThat(read.statusCode()).isEqualTo(200);
        assertThat(etag(read)).startsWith("\"1-");
        assertThat(Json.fields(read.body()).object("version").orElseThrow().text("file"))
                .isEqualTo(FILE);

        String other = FILE + "turn_delay: 1s\n";
        HttpResponse<String> without = admin().sendIfMatch("PUT", path, Map.of("file", other), "");
        assertThat(without.statusCode()).isEqualTo(428);
        assertThat(without.body()).contains("version_required");

        HttpResponse<String> changed =
                admin().sendIfMatch(
                                "PUT", path, Map.of("file", other, "reason", "slow"), etag(read));
        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
        assertThat(etag(changed)).startsWith("\"2-");
        assertThat(data.resolve("agents/nina.yaml")).hasContent(other);
        assertThat(etag(admin().get(path))).isEqualTo(etag(changed));

        HttpResponse<String> stale =
                admin().sendIfMatch("PUT", path, Map.of("file", FILE), etag(read));
        assertThat(stale.statusCode()).isEqualTo(412);
        JsonFields said = Json.fields(stale.body());
        assertThat(said.text("code")).isEqualTo("version_changed");
        assertThat(said.object("current").orElseThrow().text("file")).isEqualTo(other);
        assertThat(said.object("base").orElseThrow().text("file")).isEqualTo(FILE);
        assertThat(data.resolve("agents/nina.yaml")).hasContent(other);

        List<JsonFields> versions =
                Json.fields(admin().get(path + "/versions").body()).list("versions");
        assertThat(versions).extracting(each -> each.shown("reason")).containsExactly("slow", "");
        assertThat(versions)
                .extracting(each -> each.shown("author"))
                .containsOnly("the command line");

        assertThat(admin().sendIfMatch("DELETE", path, Map.of(), etag(read)).statusCode())
                .isEqualTo(412);
        assertThat(admin().sendIfMatch("DELETE", path, Map.of(), etag(changed)).statusCode())
                .isEqualTo(200);
        Eventually.holds(
                "it is removed", () -> admin().get(path).body().contains("\"removed\":true"));
        assertThat(data.resolve("agents/nina.yaml")).exists();
        admin().post(path + "/restore", Map.of());
        Eventually.holds(
                "it is back", () -> admin().get(path).body().contains("\"removed\":false"));
    }

    @Test
    void what_cannot_be_used_is_told_by_line_and_a_secret_is_stored_nowhere() throws Exception {
        String path = AGENTS + "/" + create();
        String seen = etag(admin().get(path));
        String secret = "hunter2-and-more-9876";

        HttpResponse<String> answer =
                admin().sendIfMatch(
                                "PUT",
                                path,
                                Map.of("file", FILE + "env: { API_TOKEN: " + secret + " }\n"),
                                seen);

        assertThat(answer.statusCode()).isEqualTo(422);
        JsonFields problem = Json.fields(answer.body()).list("problems").getFirst();
        assertThat(problem.number("line")).isEqualTo(6);
        assertThat(problem.number("column")).isPositive();
        assertThat(problem.text("message")).contains("holds a secret");
        assertThat(answer.body()).doesNotContain(secret);
        List<String> payloads =
                Optional.ofNullable(product)
                        .orElseThrow()
                        .main()
                        .database()
                        .read(
                                snapshot ->
                                        snapshot.list(
                                                "SELECT payload FROM jobs",
                                                row -> row.text("payload")));
        assertThat(payloads).isNotEmpty().noneMatch(payload -> payload.contains(secret));

        // Only its host knows what it lists for files from elsewhere.
        HttpResponse<String> asks =
                admin().sendIfMatch(
                                "PUT",
                                path,
                                Map.of("file", FILE + "env: { X: \"${env.HOME}\" }\n"),
                                seen);
        assertThat(asks.statusCode()).isEqualTo(422);
        assertThat(asks.body()).contains("remote-env");
        assertThat(data.resolve("agents/nina.yaml")).hasContent(FILE);
    }

    @Test
    void a_host_that_does_not_allow_it_is_not_offered_and_refuses() throws Exception {
        String path = AGENTS + "/" + create();
        String seen = etag(admin().get(path));
        String hub =
                Json.fields(admin().get("/api/host").body()).list("hubs").getFirst().text("url");
        admin().post("/api/host/hubs/allow", Map.of("url", hub, "allow", "steer"));
        Eventually.holds(
                "the hub knows",
                () -> admin().get(AGENTS + "/hosts").body().contains("does not allow"));

        HttpResponse<String> refused =
                admin().sendIfMatch("PUT", path, Map.of("file", FILE + "# x\n"), seen);
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("no_consent", "skep allow");
        HttpResponse<String> nowhere =
                admin().sendIfMatch(
                                "POST",
                                AGENTS,
                                Map.of("file", FILE.replace("nina", "nora"), "where", "any"),
                                "");
        assertThat(nowhere.statusCode()).isEqualTo(409);
        assertThat(nowhere.body()).contains("does not allow 'agents'");
        assertThat(data.resolve("agents/nina.yaml")).hasContent(FILE);
        assertThat(data.resolve("agents/nora.yaml")).doesNotExist();
    }

    @Test
    void people_of_other_orgs_and_viewers_change_nothing() throws Exception {
        String path = AGENTS + "/" + create();
        String seen = etag(admin().get(path));
        admin().post("/api/orgs", Map.of("id", "acme", "name", "acme"));
        HttpVisitor eve = admin().operatorOf("acme", "eve");
        assertThat(eve.get(path).statusCode()).isEqualTo(404);
        String ofAcme = path.replace("/default/", "/acme/");
        assertThat(eve.get(ofAcme).statusCode()).isEqualTo(404);
        assertThat(eve.get(ofAcme + "/versions").statusCode()).isEqualTo(404);
        assertThat(eve.get(ofAcme + "/versions/1").statusCode()).isEqualTo(404);
        assertThat(eve.sendIfMatch("PUT", ofAcme, Map.of("file", FILE), seen).statusCode())
                .isEqualTo(404);
        assertThat(eve.get("/api/orgs/acme/agents/hosts").body()).doesNotContain("\"id\"");

        admin().post("/api/orgs/default/operators", Map.of("username", "looker", "role", "viewer"));
        String key =
                admin().post(
                                "/api/orgs/default/keys",
                                Map.of("kind", "api", "operator", "looker", "label", "x"))
                        .text("secret");
        HttpVisitor looker =
                HttpVisitor.withKey(Optional.ofNullable(product).orElseThrow().url(), key);
        assertThat(looker.get(path).statusCode()).isEqualTo(200);
        assertThat(looker.sendIfMatch("PUT", path, Map.of("file", FILE), seen).statusCode())
                .isEqualTo(403);
        assertThat(looker.sendIfMatch("DELETE", path, Map.of(), seen).statusCode()).isEqualTo(403);
        assertThat(Files.readString(data.resolve("agents/nina.yaml"))).isEqualTo(FILE);
    }

    @Test
    void the_kinds_of_job_for_files_are_not_asked_for_by_hand() throws Exception {
        HttpResponse<String> refused =
                admin().sendIfMatch(
                                "POST",
                                "/api/orgs/default/jobs",
                                Map.of(
                                        "type",
                                        "agent.create",
                                        "hostId",
                                        Json.fields(admin().get(AGENTS + "/hosts").body())
                                                .list("hosts")
                                                .getFirst()
                                                .text("id"),
                                        "payload",
                                        Map.of("agent", "x", "file", FILE, "by", "the boss")),
                                "");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("not asked for as a job");
    }
}
