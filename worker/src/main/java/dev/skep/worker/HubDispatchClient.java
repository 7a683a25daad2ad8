package dev.skep.worker;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A hub's dispatch, by the calls every host makes. Thread-safe. */
public final class HubDispatchClient implements DispatchClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final HubTransport hubTransport;
    private final String worker;
    private final BooleanSupplier enrolled;

    /** Over HTTP or a link, with a hub that this host is enrolled with. */
    public HubDispatchClient(HubTransport hubTransport, String worker) {
        this(hubTransport, worker, () -> true);
    }

    /**
     * Over HTTP or a link.
     *
     * @param worker new with every process, so that the hub forgets what waits for an earlier one
     * @param enrolled whether the host has joined the hub: only then it knows what it allows it
     */
    HubDispatchClient(HubTransport hubTransport, String worker, BooleanSupplier enrolled) {
        this.hubTransport = hubTransport;
        this.worker = worker;
        this.enrolled = enrolled;
    }

    @Override
    public String name() {
        return hubTransport.name();
    }

    @Override
    public boolean isEnrolled() {
        return enrolled.getAsBoolean();
    }

    @Override
    public HeartbeatResponse beat(HeartbeatReport report) {
        Map<String, String> states = new HashMap<>();
        Map<String, Long> ages = new HashMap<>();
        report.servers()
                .forEach(
                        (id, server) -> {
                            states.put(id, server.state());
                            ages.put(id, server.age().toSeconds());
                        });
        Map<String, Object> body = new HashMap<>();
        body.put("version", report.version());
        body.put("metrics", report.metrics());
        body.put("running", report.running());
        body.put("servers", states);
        body.put("serverSeconds", ages);
        if (isEnrolled()) {
            body.put("allows", report.allows().get().labels());
        }
        JsonFields answer = Json.fields(post("/api/agent/heartbeat", body, TIMEOUT).body());
        Map<String, RunOrder> orders = new HashMap<>();
        answer.list("runs")
                .forEach(
                        run ->
                                orders.put(
                                        run.text("runId"),
                                        RunOrder.valueOf(run.text("do").toUpperCase(Locale.ROOT))));
        return new HeartbeatResponse(Duration.ofSeconds(answer.number("intervalSeconds")), orders);
    }

    @Override
    public Optional<AssignedRun> next(Duration wait, AcceptedWork acceptedWork) {
        String only = acceptedWork == AcceptedWork.FOR_STEERING ? "&only=steering" : "";
        HubTransport.Answer answer =
                post(
                        "/api/agent/jobs/next?wait=%d&worker=%s%s"
                                .formatted(wait.toSeconds(), worker, only),
                        Map.of(),
                        wait.plus(TIMEOUT));
        return answer.status() == 204
                ? Optional.empty()
                : Optional.of(run(Json.fields(answer.body())));
    }

    private AssignedRun run(JsonFields told) {
        return new AssignedRun(
                name(),
                told.text("jobId"),
                told.text("jobRunId"),
                told.text("type"),
                told.object("payload").orElseGet(() -> Json.fields("{}")),
                (int) told.number("attempt"),
                told.optionalNumber("timeoutSeconds").map(Duration::ofSeconds));
    }

    @Override
    public void print(String runId, int attempt, List<OutputPiece> pieces) {
        post(
                "/api/agent/runs/" + runId + "/output",
                Map.of("attempt", attempt, "chunks", pieces),
                TIMEOUT,
                true);
    }

    @Override
    public Optional<AssignedRun> report(String runId, int attempt, JobResult result, boolean more) {
        HubTransport.Answer answer =
                post(
                        "/api/agent/runs/%s/result%s".formatted(runId, more ? "?next=true" : ""),
                        Map.of(
                                "attempt",
                                attempt,
                                "status",
                                result.status().label(),
                                "result",
                                result.detail()),
                        TIMEOUT);
        return Json.fields(answer.body()).object("next").map(this::run);
    }

    private HubTransport.Answer post(String path, Map<String, ?> body, Duration timeout) {
        return post(path, body, timeout, false);
    }

    private HubTransport.Answer post(
            String path, Map<String, ?> body, Duration timeout, boolean bulk) {
        HubTransport.Answer answer = hubTransport.post(path, Json.bytes(body), timeout, bulk);
        if (answer.status() >= 300) {
            throw refused(path, answer);
        }
        return answer;
    }

    private SkepException refused(String path, HubTransport.Answer answer) {
        ErrorCode code =
                switch (answer.status()) {
                    case 400, 413 -> ErrorCode.BAD_REQUEST;
                    case 401 -> ErrorCode.UNAUTHENTICATED;
                    case 403 -> ErrorCode.FORBIDDEN;
                    case 404 -> ErrorCode.NOT_FOUND;
                    case 429 -> ErrorCode.TOO_MANY_REQUESTS;
                    default -> ErrorCode.HUB_UNREACHABLE;
                };
        return new SkepException(
                code,
                "hub %s answered %d to %s%s"
                        .formatted(
                                hubTransport.name(),
                                answer.status(),
                                path.replaceFirst("\\?.*", ""),
                                why(answer.body())));
    }

    /** A hub says why; what stands between may not. */
    private static String why(String body) {
        try {
            return Json.fields(body).optionalText("detail").map(why -> ": " + why).orElse("");
        } catch (SkepException notAProblem) {
            return "";
        }
    }
}
