package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Route;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A hub where the org {@code default} has one of everything, and org {@code b} a host. */
final class TwoOrgs implements AutoCloseable {
    static final String NONSENSE = "01NONSENSE0000000000000000";

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
                    Map.of("kind", "discord", "name", "n", "url", "https://example.org/x"),
                    "/api/orgs/{org}/notifications/channels/{channel}",
                    Map.of("kinds", List.of()));

    private static final Set<String> NOT_IDS = Set.of("org", "secret");

    final DispatchTestHub hub;
    final Map<String, String> ofA = new HashMap<>();

    TwoOrgs(Path folder) {
        hub = new DispatchTestHub(folder);
        hub.beat("host-of-a");
        hub.post("host:b:host-of-b", "/api/agent/heartbeat", Map.of());
        ofA.put("host", "host-of-a");
        operator("op", "default", "of-a");
        operator("op-of-b", "b", "op");
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
        JsonFields job =
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
        ofA.put(
                "budget",
                made(
                                "budgets",
                                Map.of(
                                        "name",
                                        "all",
                                        "scope",
                                        "org",
                                        "amountMicros",
                                        1_000_000,
                                        "windowSeconds",
                                        3_600))
                        .text("id"));
        ofA.put("secret", "TOKEN_OF_A");
        hub.database.write(
                tx ->
                        tx.update(
                                """
                                INSERT INTO secret_targets (org_id, name, target, created_at)
                                VALUES ('default', 'TOKEN_OF_A', 'label:env:prod', '')"""));
        ofA.put(
                "channel",
                made("notifications/channels", Map.of("kind", "email", "to", "a@example.org"))
                        .object("channel")
                        .orElseThrow()
                        .text("id"));
    }

    private void operator(String id, String org, String name) {
        hub.database.write(
                tx ->
                        tx.update(
                                """
                                INSERT INTO operators
                                    (id, org_id, username, role, created_at, updated_at)
                                VALUES (?, ?, ?, 'ADMIN', '2027-01-01T00:00:00.000000Z', '')""",
                                id,
                                org,
                                name));
    }

    private JsonFields made(String what, Map<String, Object> body) {
        DispatchTestHub.Answer answer =
                hub.post("operator:default", "/api/orgs/default/" + what, body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        return answer.fields();
    }

    /** Whether a route, by its path or its usual body, names something of an org. */
    static boolean namesSomething(Route route) {
        boolean inBody =
                route.method() == HttpMethod.POST
                        && BODIES.getOrDefault(route.path(), Map.of()).containsValue("{host}");
        // The name of a secret is its org's own word: others may have one of the same name.
        return inBody || !NOT_IDS.containsAll(route.parameters());
    }

    DispatchTestHub.Answer ask(Route route, String org, Map<String, String> ids) {
        boolean byHost = route.access().kinds().contains(Access.Kind.HOST);
        String token = byHost ? "host:" + org + ":host-of-" + org : "operator:" + org;
        return send(route, token, path(route, org, ids), ids);
    }

    DispatchTestHub.Answer send(Route route, String token, String path, Map<String, String> ids) {
        return hub.call(
                route.method().name(),
                token,
                path,
                route.method() == HttpMethod.GET ? null : body(route, ids));
    }

    static Map<String, Object> body(Route route, Map<String, String> ids) {
        Map<String, Object> body = new HashMap<>(BODIES.getOrDefault(route.path(), Map.of()));
        body.replaceAll((name, value) -> value.equals("{host}") ? ids.get("host") : value);
        return body;
    }

    static String path(Route route, String org, Map<String, String> ids) {
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

    static Map<String, String> nonsense() {
        Map<String, String> ids = new HashMap<>();
        List.of("host", "server", "job", "run", "webhook", "budget", "channel")
                .forEach(name -> ids.put(name, NONSENSE));
        return ids;
    }

    static String masked(String body, Map<String, String> ids) {
        String masked = body;
        for (String id : ids.values()) {
            masked = masked.replace(id, "ID");
        }
        return masked;
    }

    /** What became of the job of {@code default} is nobody else's doing. */
    void assertUntouched() {
        assertThat(hub.get("operator:default", "/api/orgs/default/jobs/" + ofA.get("job")).body())
                .contains("\"status\":\"running\"");
        assertThat(
                        hub.get(
                                        "operator:default",
                                        "/api/orgs/default/servers/" + ofA.get("server"))
                                .body())
                .doesNotContain("crashed");
    }

    @Override
    public void close() {
        hub.close();
    }
}
