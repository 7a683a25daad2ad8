package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.Access;
import dev.skep.transport.route.Fields;
import dev.skep.transport.route.Method;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Route;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generated from the route table: a route that is not covered here fails. */
class OrgsApartTest {
    private static final String NONSENSE = "01NONSENSE0000000000000000";

    /** A usable body for each route that takes one, by its path; ids come from the map. */
    private static final Map<String, Map<String, Object>> BODIES =
            Map.of(
                    "/api/orgs/{org}/jobs",
                    Map.of(
                            "type",
                            "shell",
                            "payload",
                            Map.of("command", "true"),
                            "hostId",
                            "{host}"),
                    "/api/orgs/{org}/servers",
                    Map.of("name", "n", "spec", Map.of("command", "c"), "hostId", "{host}"),
                    "/api/agent/runs/{run}/result",
                    Map.of("attempt", 1, "status", "succeeded"),
                    "/api/agent/runs/{run}/output",
                    Map.of(
                            "attempt",
                            1,
                            "chunks",
                            List.of(Map.of("n", 0, "stream", "stdout", "text", "x"))),
                    "/api/orgs/{org}/webhooks",
                    Map.of("kind", "discord", "name", "n", "url", "https://example.org/x"));

    /** Routes that name nothing of anybody but the caller. */
    private static final Set<String> OWN_ONLY =
            Set.of(
                    "GET /api/openapi.json",
                    "POST /api/agent/heartbeat",
                    "POST /api/agent/jobs/next");

    @TempDir Path folder;
    private TestHub hub;
    private final Map<String, String> ofA = new HashMap<>();

    @BeforeEach
    void open() {
        hub = new TestHub(folder);
        hub.beat("host-of-a");
        hub.post("host:b:host-of-b", "/api/agent/heartbeat", Map.of());
        ofA.put("host", "host-of-a");
        ofA.put(
                "server",
                made(
                                "servers",
                                Map.of(
                                        "hostId",
                                        "host-of-a",
                                        "name",
                                        "web",
                                        "spec",
                                        Map.of("command", "c")))
                        .text("id"));
        Fields job =
                made(
                        "jobs",
                        Map.of(
                                "hostId",
                                "host-of-a",
                                "type",
                                "shell",
                                "payload",
                                Map.of("command", "true")));
        ofA.put("job", job.text("id"));
        ofA.put("run", job.object("run").orElseThrow().text("id"));
        hub.post("host:default:host-of-a", "/api/agent/jobs/next", Map.of());
        ofA.put(
                "webhook",
                made(
                                "webhooks",
                                Map.of(
                                        "kind",
                                        "discord",
                                        "name",
                                        "n",
                                        "url",
                                        "https://example.org/x"))
                        .object("webhook")
                        .orElseThrow()
                        .text("id"));
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void another_orgs_id_is_answered_like_a_nonsense_id() {
        int compared = 0;
        for (Route route : hub.table().routes()) {
            if (OWN_ONLY.contains(route.toString())) {
                continue;
            }
            boolean named = !route.parameters().stream().allMatch("org"::equals);
            boolean inBody =
                    route.method() == Method.POST
                            && BODIES.getOrDefault(route.path(), Map.of()).containsValue("{host}");
            if (!named && !inBody) {
                continue;
            }
            TestHub.Answer theirs = ask(route, "b", ofA);
            TestHub.Answer nonsense = ask(route, "b", nonsense());
            assertThat(theirs.status()).as("%s", route).isEqualTo(404);
            assertThat(nonsense.status()).as("%s", route).isEqualTo(404);
            assertThat(masked(theirs.body(), ofA))
                    .as("%s", route)
                    .isEqualTo(masked(nonsense.body(), nonsense()));
            compared++;
        }
        assertThat(compared).isGreaterThanOrEqualTo(17);
        assertThat(hub.get("operator:default", "/api/orgs/default/jobs/" + ofA.get("job")).body())
                .contains("\"status\":\"running\"");
    }

    @Test
    void another_orgs_name_is_answered_like_a_nonsense_name() {
        for (Route route : hub.table().routes()) {
            if (route.scope() != OrgScope.PATH) {
                continue;
            }
            String path = path(route, "default", ofA);
            String nonsense = path(route, NONSENSE, ofA);
            TestHub.Answer theirs = send(route, "operator:b", path, ofA);
            TestHub.Answer none = send(route, "operator:b", nonsense, ofA);
            assertThat(theirs.status()).as("%s", route).isEqualTo(404);
            assertThat(theirs.body().replace("default", "ORG"))
                    .isEqualTo(none.body().replace(NONSENSE, "ORG"));
        }
    }

    @Test
    void lists_hold_nothing_of_another_org() {
        for (Route route : hub.table().routes()) {
            boolean list =
                    route.method() == Method.GET
                            && route.parameters().equals(List.of("org"))
                            && !route.path().endsWith("/events");
            if (list) {
                TestHub.Answer answer = ask(route, "b", ofA);
                assertThat(answer.status()).as("%s", route).isEqualTo(200);
                ofA.values().forEach(id -> assertThat(answer.body()).doesNotContain(id));
            }
        }
    }

    private TestHub.Answer ask(Route route, String org, Map<String, String> ids) {
        boolean byHost = route.access().kinds().contains(Access.Kind.HOST);
        String token = byHost ? "host:" + org + ":host-of-" + org : "operator:" + org;
        return send(route, token, path(route, org, ids), ids);
    }

    private TestHub.Answer send(Route route, String token, String path, Map<String, String> ids) {
        Map<String, Object> body = new HashMap<>(BODIES.getOrDefault(route.path(), Map.of()));
        body.replaceAll((name, value) -> value.equals("{host}") ? ids.get("host") : value);
        return hub.call(
                route.method().name(), token, path, route.method() == Method.GET ? null : body);
    }

    private static String path(Route route, String org, Map<String, String> ids) {
        String path = route.path().replace("{org}", org);
        for (String name : route.parameters()) {
            if (!name.equals("org")) {
                String id = ids.get(name);
                assertThat(id).as("an id for {%s} of %s", name, route).isNotNull();
                path = path.replace("{" + name + "}", id);
            }
        }
        return path;
    }

    private static Map<String, String> nonsense() {
        Map<String, String> ids = new HashMap<>();
        List.of("host", "server", "job", "run", "webhook").forEach(name -> ids.put(name, NONSENSE));
        return ids;
    }

    private static String masked(String body, Map<String, String> ids) {
        String masked = body;
        for (String id : ids.values()) {
            masked = masked.replace(id, "ID");
        }
        return masked;
    }

    private Fields made(String what, Map<String, Object> body) {
        TestHub.Answer answer = hub.post("operator:default", "/api/orgs/default/" + what, body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        return answer.fields();
    }
}
