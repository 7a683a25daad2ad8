package dev.skep.benchmark.dispatch;

import dev.skep.transport.route.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A fleet that beats over HTTP until its process is ended: {@code URL HOSTS BEATS_PER_SECOND}. Says
 * {@code beating} when the first second is over.
 */
final class Beating {
    private static final Map<String, Object> BEAT =
            Map.of(
                    "version",
                    "0.1.0",
                    "metrics",
                    Map.of("cpu", 0.25, "memory", 0.5, "disk", 0.125));

    private Beating() {}

    public static void main(String[] arguments) throws InterruptedException {
        int hosts = Integer.parseInt(arguments[1]);
        int perSecond = Integer.parseInt(arguments[2]);
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        long start = System.nanoTime();
        try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
            for (long beat = 0; ; beat++) {
                long due = start + beat * TimeUnit.SECONDS.toNanos(1) / perSecond;
                TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
                String host = "host:default:f" + beat % hosts;
                pool.execute(() -> beat(client, arguments[0], host));
                if (beat == perSecond) {
                    System.out.println("beating");
                }
            }
        }
    }

    private static void beat(HttpClient client, String url, String host) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + "/api/agent/heartbeat"))
                        .header("Authorization", "Bearer " + host)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(Json.bytes(BEAT)))
                        .build();
        try {
            int status = client.send(request, BodyHandlers.discarding()).statusCode();
            if (status != 200) {
                System.err.println("a beat was answered with " + status);
            }
        } catch (IOException e) {
            System.err.println("a beat got no answer: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
