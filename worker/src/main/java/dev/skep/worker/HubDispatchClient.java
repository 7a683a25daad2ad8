package dev.skep.worker;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.call.HubTransport;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.wire.call.HeartbeatAnswer;
import dev.skep.wire.call.HoldAnswer;
import dev.skep.wire.call.HoldState;
import dev.skep.wire.call.HubCall;
import dev.skep.wire.call.OutputChunk;
import dev.skep.wire.call.RunAssignment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A hub's dispatch, by the calls every host makes, over whatever way is open. Thread-safe. */
public final class HubDispatchClient implements DispatchClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final String name;
    private final List<HubTransport> transports;
    private final String worker;
    private final BooleanSupplier enrolled;

    /** With a hub that this host is enrolled with. */
    public HubDispatchClient(String name, List<HubTransport> transports, String worker) {
        this(name, transports, worker, () -> true);
    }

    /**
     * For a hub that this host may yet have to join.
     *
     * @param transports the ways to the hub; the first that is open takes a call
     * @param worker new with every process, so that the hub forgets what waits for an earlier one
     * @param enrolled whether the host has joined the hub: only then it knows what it allows it
     */
    HubDispatchClient(
            String name, List<HubTransport> transports, String worker, BooleanSupplier enrolled) {
        this.name = name;
        this.transports = List.copyOf(transports);
        this.worker = worker;
        this.enrolled = enrolled;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isEnrolled() {
        return enrolled.getAsBoolean();
    }

    @Override
    public HeartbeatAnswer beat(HubCall.Heartbeat beat) {
        return call(beat, TIMEOUT, false);
    }

    @Override
    public Optional<AssignedRun> next(Duration wait, AcceptedWork acceptedWork) {
        boolean steeringOnly = acceptedWork == AcceptedWork.FOR_STEERING;
        return call(new HubCall.NextRun(wait, worker, steeringOnly), wait.plus(TIMEOUT), false)
                .map(this::assigned);
    }

    @Override
    public void print(String runId, int attempt, List<OutputChunk> chunks) {
        call(new HubCall.Output(runId, attempt, chunks), TIMEOUT, true);
    }

    @Override
    public Optional<AssignedRun> report(String runId, int attempt, JobResult result, boolean more) {
        HubCall.Report report =
                new HubCall.Report(
                        runId,
                        attempt,
                        result.status(),
                        Optional.of(Json.text(result.detail())),
                        more);
        return call(report, TIMEOUT, false).next().map(this::assigned);
    }

    /** Any other call, as urgent as a heartbeat. */
    public <A> A ask(HubCall<A> call) {
        return call(call, TIMEOUT, false);
    }

    @Override
    public HoldAnswer hold(Optional<String> hold, HoldState state, Duration wait) {
        return call(new HubCall.Hold(hold, state, wait, worker), wait.plus(TIMEOUT), false);
    }

    private AssignedRun assigned(RunAssignment run) {
        return new AssignedRun(
                name,
                run.jobId(),
                run.runId(),
                run.type(),
                Json.fields(run.payload()),
                run.attempt(),
                run.timeout());
    }

    private <A> A call(HubCall<A> call, Duration timeout, boolean bulk) {
        HubTransport.Answer answer = post(call, timeout, bulk);
        if (answer.status() >= 300) {
            throw refused(call, answer);
        }
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        return call.answer(answer.status(), JsonFields.of(body));
    }

    private HubTransport.Answer post(HubCall<?> call, Duration timeout, boolean bulk) {
        try {
            for (HubTransport transport : transports) {
                Optional<HubTransport.Answer> answer =
                        transport.post(call.path(), call.json(), timeout, bulk);
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while asking " + name, e);
        }
        throw new SkepException(ErrorCode.HUB_UNREACHABLE, "no way to hub %s".formatted(name));
    }

    private SkepException refused(HubCall<?> call, HubTransport.Answer answer) {
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
                                name,
                                answer.status(),
                                call.path().replaceFirst("\\?.*", ""),
                                why(answer.body())));
    }

    /** A hub gives a reason; a proxy in between may not. */
    private static String why(String body) {
        try {
            return Json.fields(body).optionalText("detail").map(why -> ": " + why).orElse("");
        } catch (SkepException notAProblem) {
            return "";
        }
    }
}
