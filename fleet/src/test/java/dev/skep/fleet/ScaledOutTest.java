package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.Main;
import dev.skep.cli.admin.AdminFile;
import dev.skep.kernel.error.SkepException;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.JavaCommand;
import dev.skep.testkit.Killable;
import dev.skep.testkit.server.PostgresServer;
import dev.skep.testkit.server.RedisServer;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
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
    private static final Path PAGE = Path.of("..", "docs", "scale-out.md");
    private static final String STARTED = "skep hub --supervisor";

    /** Machines are home folders, and ssh goes to one of them. */
    private static final String PRELUDE =
            """
            set -e
            skep() { '%s' "$@"; }
            ssh() { HOME="$HOMES/$1" bash -c "${*:2}"; }
            export -f skep
            """
                    .formatted(String.join("' '", JavaCommand.of(Main.class)));

    @TempDir Path folder;

    @Test
    void a_hub_process_killed_under_load_costs_no_job() throws Exception {
        int one = FreePort.any();
        int two = FreePort.any();
        Files.createDirectories(folder.resolve("redis"));
        try (var redis = RedisServer.lasting(folder.resolve("redis"));
                var balancer = new Balancer(List.of(one, two));
                HttpClient client = HttpApiClient.newClient()) {
            String settings =
                    "DATABASE_URL=%s%nQUEUE_URL=%s%nHUB_ACCESS_KEY=of-this-fleet%n"
                            .formatted(PostgresServer.newDatabaseUrl(), redis.url());
            try (Killable first = hub("one", one, settings)) {
                ApiClient atFirst = hubOf(client, "one");
                try (Killable _ = runner(balancer.url())) {
                    JsonFields host = host(atFirst);
                    Iterator<CodeBlocks.Block> page = page().iterator();
                    does(page.next());
                    try (Killable _ = hub("two", two, settings)) {
                        ApiClient atSecond = hubOf(client, "two");
                        while (page.hasNext()) {
                            does(page.next());
                        }
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

    /** What the page has people type, besides what starts the processes. */
    private static List<CodeBlocks.Block> page() throws IOException {
        List<CodeBlocks.Block> typed =
                CodeBlocks.of(PAGE).stream().filter(b -> b.info().startsWith("sh ")).toList();
        assertThat(typed)
                .filteredOn(block -> block.info().startsWith("sh service"))
                .extracting(CodeBlocks.Block::text)
                .containsExactly(STARTED, STARTED);
        return typed.stream().filter(block -> block.info().startsWith("sh on")).toList();
    }

    private void does(CodeBlocks.Block block) throws Exception {
        Path out = folder.resolve("typed.out");
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", PRELUDE + block.text());
        bash.environment().clear();
        bash.environment()
                .putAll(
                        Map.of(
                                "PATH",
                                System.getenv("PATH"),
                                "HOMES",
                                folder.toString(),
                                "HOME",
                                folder.resolve(block.info().replace("sh on ", "")).toString()));
        int status = bash.redirectErrorStream(true).redirectOutput(out.toFile()).start().waitFor();
        assertThat(status)
                .as("line %d: %s%n%s", block.line(), block.text(), Files.readString(out))
                .isZero();
    }

    private Killable hub(String name, int port, String settings) throws IOException {
        Path dataDir = Files.createDirectories(dataDir(name));
        Files.writeString(dataDir.resolve(".env"), settings);
        return process(List.of("hub", "--supervisor"), name, "127.0.0.1:" + port);
    }

    private Killable runner(String hub) throws IOException {
        Path dataDir = Files.createDirectories(dataDir("box"));
        Files.writeString(dataDir.resolve("allowed-commands"), "true\n");
        Files.writeString(
                dataDir.resolve(".env"),
                "HUB_URLS=%s%nHUB_ACCESS_KEY=of-this-fleet%nSKEP_ALLOW=jobs%n".formatted(hub));
        return process(List.of("run"), "box", "127.0.0.1:0");
    }

    private Killable process(List<String> command, String name, String listen) {
        List<String> arguments = new ArrayList<>(command);
        arguments.addAll(List.of("--data-dir", dataDir(name).toString(), "--hostname", name));
        arguments.addAll(List.of("--listen", listen, "--registry-port", "none"));
        return new Killable(Main.class, _ -> {}, arguments.toArray(String[]::new));
    }

    private Path dataDir(String name) {
        return folder.resolve(name).resolve(".skep");
    }

    /** The hub's own door, once it is open. */
    private ApiClient hubOf(HttpClient client, String name) {
        Path dataDir = dataDir(name);
        Eventually.holds(name + " is up", () -> AdminFile.read(dataDir).isPresent());
        AdminFile.Address address = AdminFile.read(dataDir).orElseThrow();
        return new HttpApiClient(client, address.url(), Optional.of(address.secret()));
    }

    private static JsonFields host(ApiClient hub) {
        Eventually.holds("the runner is enrolled", () -> !hosts(hub).isEmpty());
        return hosts(hub).getFirst();
    }

    private static List<JsonFields> hosts(ApiClient hub) {
        return hub.get(ORG + "/hosts").fields().list("hosts");
    }

    private static String job(ApiClient hub, JsonFields host, int number) {
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

    private static boolean succeeded(ApiClient hub, String job) {
        try {
            return hub.get(ORG + "/jobs/" + job).fields().shown("status").equals("succeeded");
        } catch (SkepException busy) {
            return false;
        }
    }
}
