package dev.skep.app.demo;

import dev.skep.app.admin.AdminFile;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.Api;
import dev.skep.transport.client.HttpApi;
import dev.skep.transport.route.Fields;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What people would ask of the fleet: servers that run, and jobs now and then. */
final class DemoWork {
    /** The server every host gets. Servers outlive their runner; this one ends with the demo. */
    private static final String SERVER =
            "while kill -0 $DEMO; do echo \"$(date +%T) GET / 200\"; sleep 2; done";

    private static final List<String> JOBS =
            List.of("uname -a", "df -h .", "sleep 2; echo deployed", "uptime", "exit 3");
    private static final long DEMO = ProcessHandle.current().pid();
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

    /** Asks for one more thing; says how many were asked for, or nothing while the hub is away. */
    Optional<Integer> askForSomething() {
        Optional<AdminFile.Door> door = AdminFile.read(hubDataDir);
        if (door.isEmpty()) {
            return Optional.empty();
        }
        Api hub = new HttpApi(client, door.get().url(), Optional.of(door.get().secret()));
        try {
            List<Fields> hosts = hub.get(ORG + "/hosts").fields().list("hosts");
            for (Fields host : hosts) {
                if (!servers.containsKey(host.text("id"))) {
                    servers.put(host.text("id"), startServer(hub, host));
                }
            }
            if (!hosts.isEmpty()) {
                Fields host = hosts.get(asked % hosts.size());
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
                asked++;
            }
            return Optional.of(asked);
        } catch (SkepException away) {
            return Optional.empty();
        }
    }

    private static String startServer(Api hub, Fields host) {
        String id =
                hub.post(
                                ORG + "/servers",
                                Map.of(
                                        "hostId", host.text("id"),
                                        "name", "web-" + host.shown("name"),
                                        "spec",
                                                Map.of(
                                                        "command",
                                                        SERVER,
                                                        "env",
                                                        Map.of("DEMO", "" + DEMO),
                                                        "restart",
                                                        "always")))
                        .fields()
                        .text("id");
        hub.post(
                ORG + "/jobs",
                Map.of("hostId", host.text("id"), "type", "server.start", "serverInstanceId", id));
        return id;
    }
}
