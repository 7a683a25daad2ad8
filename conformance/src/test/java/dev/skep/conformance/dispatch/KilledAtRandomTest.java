package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.Killable;
import dev.skep.testkit.server.RedisServer;
import dev.skep.transport.route.Json;
import dev.skep.worker.KillableNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hub, runner and a Redis that forgets everything, killed at random while jobs come in. A short
 * while by default; the two minutes of the promise with {@code -Dskep.kill.seconds=120}.
 */
class KilledAtRandomTest {
    private static final Duration KILLING =
            Duration.ofSeconds(Integer.getInteger("skep.kill.seconds", 5));

    /** However slow the machine is. */
    private static final int LEAST_KILLS = 3;

    private static final int LEAST_JOBS = 20;
    private static final Duration DRAINING = Duration.ofSeconds(90);

    @TempDir Path folder;
    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch enough = new CountDownLatch(1);

    /** The jobs the hub said it has, by the number their command writes. */
    private final Map<Integer, String> acknowledged = new HashMap<>();

    @Test
    void no_acknowledged_job_is_lost_none_is_applied_twice_and_all_finish() throws Exception {
        int port = FreePort.any();
        String url = "http://127.0.0.1:" + port;
        try (RedisServer redis = RedisServer.forgetful(folder);
                Killable hub = node("hub", Integer.toString(port), redis.url());
                Killable runner = node("runner", url, "h1")) {
            hub.greeting();
            post(url, "host:default:h1", "/api/agent/heartbeat", Map.of());
            Thread creator = Thread.ofVirtual().start(() -> create(url));
            int kills = killAtRandom(redis, hub, runner);
            enough.countDown();
            creator.join();
            hub.greeting();
            awaitDrained();
            System.err.printf("%d kills, %d jobs acknowledged%n", kills, acknowledged.size());
        }
        List<Integer> done =
                Files.readAllLines(folder.resolve("home/done.txt")).stream()
                        .map(Integer::valueOf)
                        .toList();
        assertThat(done).containsAll(acknowledged.keySet());
        try (Database database = ledger()) {
            Map<String, Long> endings = new HashMap<>();
            database.read(
                    db ->
                            db.list(
                                    """
                                    SELECT job_id, count(*) AS n FROM job_runs
                                    WHERE status = 'succeeded' GROUP BY job_id""",
                                    row ->
                                            endings.put(row.text("job_id"), row.number("n"))
                                                    == null));
            acknowledged.values().forEach(job -> assertThat(endings).containsEntry(job, 1L));
            assertThat(endings).hasSameSizeAs(acknowledged);
        }
    }

    private Killable node(String kind, String... more) {
        List<String> arguments = new ArrayList<>(List.of(kind, folder.toString()));
        arguments.addAll(List.of(more));
        return new Killable(KillableNode.class, line -> {}, arguments.toArray(String[]::new));
    }

    private static int killAtRandom(RedisServer redis, Killable hub, Killable runner)
            throws InterruptedException {
        Random random = new Random();
        long end = System.nanoTime() + KILLING.toNanos();
        int kills = 0;
        while (kills < LEAST_KILLS || System.nanoTime() < end) {
            hub.letRun(Duration.ofMillis(random.nextInt(1_000)));
            switch (random.nextInt(3)) {
                case 0 -> {
                    redis.kill();
                    redis.startAgain();
                }
                case 1 -> {
                    hub.killAndStart();
                    hub.greeting();
                }
                default -> {
                    runner.killAndStart();
                    runner.greeting();
                }
            }
            kills++;
        }
        return kills;
    }

    /** Asks with the same key until it has an answer, as a client should. */
    private void create(String url) {
        for (int number = 0; number < LEAST_JOBS || enough.getCount() > 0; number++) {
            Map<String, Object> job =
                    Map.of(
                            "hostId",
                            "h1",
                            "type",
                            "shell",
                            "payload",
                            Map.of("command", "echo %d >> done.txt".formatted(number)),
                            "idempotencyKey",
                            "number-" + number);
            String body = post(url, "operator:default", "/api/orgs/default/jobs", job);
            acknowledged.put(number, Json.fields(body).text("id"));
        }
    }

    private String post(String url, String token, String path, Map<String, ?> body) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + path))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofSeconds(5))
                        .POST(BodyPublishers.ofByteArray(Json.bytes(body)))
                        .build();
        return Eventually.present("the hub answers", DRAINING, () -> answer(request));
    }

    private Optional<String> answer(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            return answer.statusCode() < 300 ? Optional.of(answer.body()) : Optional.empty();
        } catch (IOException down) {
            return Optional.empty(); // it comes back
        }
    }

    private void awaitDrained() {
        try (Database database = ledger()) {
            Eventually.holds("no run is left", DRAINING, () -> left(database) == 0);
        }
    }

    private static long left(Database database) {
        return database.read(
                db ->
                        db.first(
                                        "SELECT count(*) FROM job_runs WHERE status IN ('pending', 'running')",
                                        row -> row.number(1))
                                .orElseThrow());
    }

    private Database ledger() {
        return Databases.openReadOnly(new DatabaseUrl.Sqlite(folder.resolve("hub.db")));
    }
}
