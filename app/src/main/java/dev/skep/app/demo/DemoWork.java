package dev.skep.app.demo;

import dev.skep.cli.admin.AdminFile;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.route.JsonFields;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What people would ask of the fleet: servers that run, and jobs now and then. */
final class DemoWork {
    /**
     * The server every host gets. Servers outlive their runner, and this one cannot see whether the
     * demo runs: it ends after a while, and is started again as long as its runner is there.
     */
    private static final String SERVER =
            "for i in {1..60}; do echo \"$(date +%T) GET / 200\"; sleep 2; done";

    private static final List<String> JOBS =
            List.of("uname -a", "df -h .", "sleep 2; echo deployed", "uptime", "exit 3");
    private static final Set<String> OPEN = Set.of("pending", "running");
    private static final String ORG = "/api/orgs/default";

    private final Path hubDataDir;
    private final HttpClient client;
    private final Map<String, String> servers = new HashMap<>();
    private int asked;

    DemoWork(Path hubDataDir, HttpClient client) {
        this.hubDataDir = hubDataDir;
        this.client = client;
    }

    /** What each host has to allow. */
    static List<String> allowed() {
        return Stream.concat(JOBS.stream(), Stream.of(SERVER)).toList();
    }

    /** Asks for one more thing, unless the hub is away. */
    void askForSomething() {
        ask(
                hub -> {
                    List<JsonFields> hosts = hub.get(ORG + "/hosts").fields().list("hosts");
                    for (JsonFields host : hosts) {
                        if (!servers.containsKey(host.text("id"))) {
                            servers.put(host.text("id"), startServer(hub, host));
                        }
                    }
                    if (!hosts.isEmpty()) {
                        job(hub, hosts.get(asked % hosts.size()));
                        asked++;
                    }
                    return asked;
                });
    }

    /** How far each host is behind; empty while the hub is away. */
    List<JsonFields> peers() {
        return ask(hub -> hub.get(ORG + "/sync").fields().list("peers")).orElse(List.of());
    }

    boolean allOver() {
        return ask(hub -> jobs(hub).stream().noneMatch(job -> OPEN.contains(job.shown("status"))))
                .orElse(false);
    }

    /** Whether every node that ever registered is there now. */
    boolean allNodesActive() {
        return ask(hub ->
                        hub.get(ORG + "/nodes").fields().list("nodes").stream()
                                .allMatch(node -> node.shown("status").equals("active")))
                .orElse(false);
    }

    /** What became of the newest jobs. */
    Optional<String> summary() {
        return ask(
                hub ->
                        "%d jobs asked for; of the newest: %s"
                                .formatted(
                                        asked,
                                        jobs(hub).stream()
                                                .collect(
                                                        Collectors.groupingBy(
                                                                job -> job.shown("status"),
                                                                TreeMap::new,
                                                                Collectors.counting()))));
    }

    private static List<JsonFields> jobs(ApiClient hub) {
        return hub.get(ORG + "/jobs?limit=200").fields().list("jobs");
    }

    private <T> Optional<T> ask(Function<ApiClient, T> question) {
        return AdminFile.read(hubDataDir)
                .map(address -> HttpApiClient.ofOwnProcess(client, address.url(), address.secret()))
                .flatMap(
                        hub -> {
                            try {
                                return Optional.of(question.apply(hub));
                            } catch (SkepException away) {
                                return Optional.empty();
                            }
                        });
    }

    private void job(ApiClient hub, JsonFields host) {
        hub.post(
                ORG + "/jobs",
                Map.of(
                        "hostId",
                        host.text("id"),
                        "type",
                        "shell",
                        "payload",
                        Map.of("command", JOBS.get(asked % JOBS.size())),
                        "timeoutSeconds",
                        30,
                        "maxAttempts",
                        1));
    }

    private static String startServer(ApiClient hub, JsonFields host) {
        String id =
                hub.post(
                                ORG + "/servers",
                                Map.of(
                                        "hostId", host.text("id"),
                                        "name", "web-" + host.shown("name"),
                                        "spec", Map.of("command", SERVER, "restart", "always")))
                        .fields()
                        .text("id");
        hub.post(
                ORG + "/jobs",
                Map.of("hostId", host.text("id"), "type", "server.start", "serverInstanceId", id));
        return id;
    }
}
