package dev.skep.fleet;

import dev.skep.store.Database;
import dev.skep.testkit.Eventually;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Something of everything in the default org, by the name a route's parameter has for it. */
final class SampleFleet {
    private static final Map<String, String> ID_OF =
            Map.ofEntries(
                    Map.entry("host", "SELECT id FROM hosts WHERE kind = 'runner'"),
                    Map.entry("agent", "SELECT id FROM users WHERE username = 'alice'"),
                    Map.entry("message", "SELECT id FROM mail_messages"),
                    Map.entry("operator", "SELECT id FROM operators WHERE org_id = 'default'"),
                    Map.entry("key", "SELECT id FROM credentials WHERE org_id = 'default'"),
                    Map.entry("job", "SELECT id FROM jobs"),
                    Map.entry("run", "SELECT id FROM job_runs"),
                    Map.entry("server", "SELECT id FROM server_instances"),
                    Map.entry("webhook", "SELECT id FROM webhooks WHERE operator_id IS NULL"),
                    Map.entry("channel", "SELECT id FROM webhooks WHERE operator_id IS NOT NULL"),
                    Map.entry("node", "SELECT id FROM nodes"),
                    Map.entry("budget", "SELECT id FROM budgets"),
                    Map.entry("secret", "SELECT name AS id FROM secret_targets"));

    /** What this fleet has none of, or what is counted: any text is somebody else's. */
    private static final Map<String, String> MADE_UP =
            Map.of(
                    "org",
                    "default",
                    "approval",
                    "none",
                    "signin",
                    "none",
                    "provider",
                    "none",
                    "number",
                    "77");

    private SampleFleet() {}

    static Map<String, String> settle(HttpVisitor admin, Database hub)
            throws IOException, InterruptedException {
        String org = "/api/orgs/default/";
        Eventually.holds("the runner's agents reach the hub", () -> id(hub, "message").isPresent());
        String host = id(hub, "host").orElseThrow();
        admin.operatorOf("default", "ada");
        admin.post(org + "keys", Map.of("kind", "registry", "label", "for nodes"));
        admin.post(
                org + "webhooks",
                Map.of(
                        "kind",
                        "generic",
                        "name",
                        "pager",
                        "url",
                        "https://pager.example.com/",
                        "topics",
                        List.of()));
        admin.post(
                org + "notifications/channels?operator=ada",
                Map.of("kind", "email", "to", "ada@example.com"));
        admin.post(
                org + "budgets",
                Map.of(
                        "name",
                        "all",
                        "scope",
                        "org",
                        "amountMicros",
                        1_000_000,
                        "windowSeconds",
                        3_600));
        admin.post(
                org + "servers",
                Map.of("hostId", host, "name", "web", "spec", Map.of("command", "true")));
        admin.post(
                org + "jobs",
                Map.of("hostId", host, "type", "agent.pause", "payload", Map.of("agent", "alice")));
        hub.write(
                tx ->
                        tx.update(
                                """
                                INSERT INTO nodes (id, host_id, org_id, machine, cwd, port, status,
                                    registered_at, last_seen_at, created_at, updated_at, gen, ver)
                                VALUES ('here-1', ?, 'default', 'here', '/', 1, 'active', ?, ?, ?, ?, 0, 1)
                                """,
                                host,
                                Instant.EPOCH,
                                Instant.EPOCH,
                                Instant.EPOCH,
                                Instant.EPOCH));
        hub.write(
                tx ->
                        tx.update(
                                "INSERT INTO secret_targets (org_id, name, target, created_at) VALUES ('default', 'TOKEN', 'label:env:prod', ?)",
                                Instant.EPOCH));
        Eventually.holds("the job runs", () -> id(hub, "run").isPresent());
        Map<String, String> ids = new HashMap<>(MADE_UP);
        ID_OF.keySet().forEach(each -> id(hub, each).ifPresent(id -> ids.put(each, id)));
        return ids;
    }

    private static Optional<String> id(Database hub, String of) {
        return hub.read(
                snapshot ->
                        snapshot.first(
                                ID_OF.getOrDefault(of, ""), resultRow -> resultRow.text("id")));
    }
}
