package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.Main;
import dev.skep.app.admin.AdminFile;
import dev.skep.kernel.error.SkepException;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.Killable;
import dev.skep.testkit.PostgresServer;
import dev.skep.testkit.RedisServer;
import dev.skep.transport.client.Api;
import dev.skep.transport.client.HttpApi;
import dev.skep.transport.route.Fields;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/scale-out.md: two hub processes on one PostgreSQL and one Redis behind a balancer. */
@Timeout(180)
class ScaledOutTest {
    private static final int JOBS = 120;
    private static final String ORG = "/api/orgs/default";

    @TempDir Path folder;

    @Test
    void a_hub_process_killed_under_load_costs_no_job() throws Exception {
        int one = FreePort.any();
        int two = FreePort.any();
        Files.createDirectories(folder.resolve("redis"));
        try (var redis = RedisServer.lasting(folder.resolve("redis"));
                var balancer = new Balancer(List.of(one, two));
                HttpClient client = HttpApi.newClient()) {
            String settings =
                    "DATABASE_URL=%s%nQUEUE_URL=%s%nHUB_ACCESS_KEY=of-this-fleet%n"
                            .formatted(PostgresServer.newDatabaseUrl(), redis.url());
            try (Killable first = hub("one", one, settings)) {
                Api atFirst = hubOf(client, "one");
                try (Killable _ = runner(balancer.url())) {
                    Fields host = host(atFirst);
                    Files.copy(
                            folder.resolve("one/hub.key"),
                            Files.createDirectories(folder.resolve("two")).resolve("hub.key"));
                    try (Killable _ = hub("two", two, settings)) {
                        Api atSecond = hubOf(client, "two");
                        List<String> jobs = new ArrayList<>();
                        for (int i = 0; i < JOBS; i++) {
                            if (i == JOBS / 2) {
                                // The runner's link is with this one.
                                first.kill();
                            }
                            jobs.add(job(atSecond, host, i));
                        }
                        for (String job : jobs) {
                            Eventually.holds(job + " succeeds", () -> succeeded(atSecond, job));
                        }
                        assertThat(jobs).doesNotHaveDuplicates().hasSize(JOBS);
                    }
                }
            }
        }
    }

    private Killable hub(String name, int port, String settings) throws IOException {
        Path dataDir = Files.createDirectories(folder.resolve(name));
        Files.writeString(dataDir.resolve(".env"), settings);
        return process("hub", name, "127.0.0.1:" + port);
    }

    private Killable runner(String hub) throws IOException {
        Path dataDir = Files.createDirectories(folder.resolve("box"));
        Files.writeString(dataDir.resolve("allowed-commands"), "true\n");
        Files.writeString(
                dataDir.resolve(".env"),
                "HUB_URLS=%s%nHUB_ACCESS_KEY=of-this-fleet%n".formatted(hub));
        return process("run", "box", "127.0.0.1:0");
    }

    private Killable process(String command, String name, String listen) {
        return new Killable(
                Main.class,
                _ -> {},
                command,
                "--data-dir",
                folder.resolve(name).toString(),
                "--hostname",
                name,
                "--listen",
                listen,
                "--registry-port",
                "none");
    }

    /** The hub's own door, once it is open. */
    private Api hubOf(HttpClient client, String name) {
        Path dataDir = folder.resolve(name);
        Eventually.holds(name + " is up", () -> AdminFile.read(dataDir).isPresent());
        AdminFile.Door door = AdminFile.read(dataDir).orElseThrow();
        return new HttpApi(client, door.url(), Optional.of(door.secret()));
    }

    private static Fields host(Api hub) {
        Eventually.holds("the runner is enrolled", () -> !hosts(hub).isEmpty());
        return hosts(hub).getFirst();
    }

    private static List<Fields> hosts(Api hub) {
        return hub.get(ORG + "/hosts").fields().list("hosts");
    }

    private static String job(Api hub, Fields host, int number) {
        return hub.post(
                        ORG + "/jobs",
                        Map.of(
                                "hostId",
                                host.text("id"),
                                "type",
                                "shell",
                                "payload",
                                Map.of("command", "true"),
                                "idempotencyKey",
                                "job-" + number))
                .fields()
                .text("id");
    }

    private static boolean succeeded(Api hub, String job) {
        try {
            return hub.get(ORG + "/jobs/" + job).fields().shown("status").equals("succeeded");
        } catch (SkepException busy) {
            return false;
        }
    }
}
