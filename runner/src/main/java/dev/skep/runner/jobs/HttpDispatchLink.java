package dev.skep.runner.jobs;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Fields;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A hub over plain HTTP, as any agent in any language would talk to it. Thread-safe. */
public final class HttpDispatchLink implements DispatchLink {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final HttpClient client;
    private final String base;
    private final Supplier<String> token;
    private final String worker;

    /**
     * Over a client that may serve others.
     *
     * @param token asked before every call, so that a new one is used as soon as there is one
     * @param worker new with every process, so that the hub forgets what waits for an earlier one
     */
    public HttpDispatchLink(HttpClient client, String base, Supplier<String> token, String worker) {
        this.client = client;
        this.base = base;
        this.token = token;
        this.worker = worker;
    }

    @Override
    public String name() {
        return base;
    }

    @Override
    public BeatAnswer beat(BeatReport report) {
        Fields answer =
                Json.fields(
                        post(
                                        "/api/agent/heartbeat",
                                        Map.of(
                                                "version",
                                                report.version(),
                                                "metrics",
                                                report.metrics(),
                                                "running",
                                                report.running(),
                                                "servers",
                                                report.servers()),
                                        TIMEOUT)
                                .body());
        Map<String, Order> orders = new HashMap<>();
        answer.list("runs")
                .forEach(
                        run ->
                                orders.put(
                                        run.text("runId"),
                                        Order.valueOf(run.text("do").toUpperCase(Locale.ROOT))));
        return new BeatAnswer(Duration.ofSeconds(answer.number("intervalSeconds")), orders);
    }

    @Override
    public Optional<AssignedRun> next(Duration wait) {
        HttpResponse<String> answer =
                post(
                        "/api/agent/jobs/next?wait=%d&worker=%s"
                                .formatted(wait.toSeconds(), worker),
                        Map.of(),
                        wait.plus(TIMEOUT));
        if (answer.statusCode() == 204) {
            return Optional.empty();
        }
        Fields run = Json.fields(answer.body());
        return Optional.of(
                new AssignedRun(
                        run.text("jobId"),
                        run.text("jobRunId"),
                        run.text("type"),
                        run.object("payload").orElseGet(() -> Json.fields("{}")),
                        (int) run.number("attempt"),
                        run.optionalNumber("timeoutSeconds").map(Duration::ofSeconds)));
    }

    @Override
    public void print(String runId, int attempt, List<Printed> pieces) {
        post(
                "/api/agent/runs/" + runId + "/output",
                Map.of("attempt", attempt, "chunks", pieces),
                TIMEOUT);
    }

    @Override
    public void report(String runId, int attempt, JobResult result) {
        post(
                "/api/agent/runs/" + runId + "/result",
                Map.of(
                        "attempt",
                        attempt,
                        "status",
                        result.status().label(),
                        "result",
                        result.detail()),
                TIMEOUT);
    }

    private HttpResponse<String> post(String path, Map<String, ?> body, Duration timeout) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .header("Authorization", "Bearer " + token.get())
                        .header("Content-Type", "application/json")
                        .timeout(timeout)
                        .POST(BodyPublishers.ofByteArray(Json.bytes(body)))
                        .build();
        HttpResponse<String> answer;
        try {
            answer = client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.HUB_UNREACHABLE, "hub %s does not answer".formatted(base), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while asking " + base, e);
        }
        if (answer.statusCode() >= 300) {
            throw refused(path, answer.statusCode());
        }
        return answer;
    }

    private SkepException refused(String path, int status) {
        ErrorCode code =
                switch (status) {
                    case 400, 413 -> ErrorCode.BAD_REQUEST;
                    case 401 -> ErrorCode.UNAUTHENTICATED;
                    case 403 -> ErrorCode.FORBIDDEN;
                    case 404 -> ErrorCode.NOT_FOUND;
                    case 429 -> ErrorCode.TOO_MANY_REQUESTS;
                    default -> ErrorCode.HUB_UNREACHABLE;
                };
        return new SkepException(code, "hub %s answered %d to %s".formatted(base, status, path));
    }
}
