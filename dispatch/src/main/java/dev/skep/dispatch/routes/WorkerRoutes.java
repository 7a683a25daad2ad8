package dev.skep.dispatch.routes;

import dev.skep.dispatch.host.Heartbeat;
import dev.skep.dispatch.host.HeartbeatReceiver;
import dev.skep.dispatch.host.LoadThresholds;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.output.OutputChunk;
import dev.skep.dispatch.output.OutputStore;
import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.ClaimScope;
import dev.skep.dispatch.queue.JobLongPoll;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.LeaseRenewal;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.dispatch.queue.TurnResult;
import dev.skep.dispatch.queue.UndeliveredClaims;
import dev.skep.dispatch.server.ServerStore;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The routes that a host calls: seed 3's agent, which sends heartbeats, polls and reports. */
public final class WorkerRoutes implements Route.Source {
    private static final int LONGEST_WAIT = 60;
    private static final int MOST_CHUNKS = 1_000;

    /** A hundred years, in seconds: no process is older, and a time before it cannot be written. */
    private static final long OLDEST = 3_155_760_000L;

    private static final ClaimResult NOTHING = new ClaimResult.NothingPending();

    private final Database database;
    private final HeartbeatReceiver beats;
    private final JobQueue queue;
    private final JobLongPoll jobLongPoll;
    private final ServerStore servers;
    private final OutputStore output;
    private final InstantSource clock;

    public WorkerRoutes(
            Database database,
            HeartbeatReceiver beats,
            JobQueue queue,
            JobLongPoll jobLongPoll,
            ServerStore servers,
            OutputStore output,
            InstantSource clock) {
        this.database = database;
        this.beats = beats;
        this.queue = queue;
        this.jobLongPoll = jobLongPoll;
        this.servers = servers;
        this.output = output;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                post("/api/agent/heartbeat", this::beat),
                post("/api/agent/jobs/next", this::next),
                post("/api/agent/runs/{run}/output", this::print),
                post("/api/agent/runs/{run}/result", this::report));
    }

    private static Route post(String path, Route.Handler handler) {
        return new Route(HttpMethod.POST, path, Access.hosts(), OrgScope.CALLER, handler);
    }

    private Response beat(Request request) {
        Principal.Host host = DispatchResponses.host(request);
        JsonFields fields = request.fields();
        boolean unwell = fields.object("metrics").flatMap(LoadThresholds::in).isPresent();
        boolean known =
                beats.take(
                        new Heartbeat(
                                host,
                                fields.optionalText("version").orElse(null),
                                fields.optionalNumber("keyVersion")
                                        .map(Long::intValue)
                                        .orElse(null),
                                fields.json("metrics").orElse(null),
                                unwell,
                                fields.has("allows")
                                        ? Consents.told(fields.textList("allows"))
                                        : null));
        if (!known) {
            throw new SkepException(
                    ErrorCode.FORBIDDEN,
                    "host %s is enrolled with another org here".formatted(host.id()));
        }
        Instant now = clock.instant();
        List<ServerStore.ReportedState> reportedState = toldOfServers(fields, now);
        if (!reportedState.isEmpty()) {
            database.write(
                    tx -> {
                        servers.tellStates(tx, host, reportedState, now);
                        return true;
                    });
        }
        return Response.json(
                Map.of(
                        "intervalSeconds",
                        beats.interval().toSeconds(),
                        "runs",
                        renewals(host, fields.list("running"))));
    }

    private static List<ServerStore.ReportedState> toldOfServers(JsonFields beat, Instant now) {
        Map<String, String> states = beat.object("servers").map(JsonFields::texts).orElse(Map.of());
        Optional<JsonFields> ages = beat.object("serverSeconds");
        List<ServerStore.ReportedState> reportedState = new ArrayList<>();
        states.forEach(
                (id, state) ->
                        reportedState.add(
                                new ServerStore.ReportedState(
                                        id,
                                        state,
                                        ages.flatMap(each -> each.optionalNumber(id))
                                                .map(
                                                        age ->
                                                                now.minusSeconds(
                                                                        Math.clamp(age, 0, OLDEST)))
                                                .orElse(null))));
        return reportedState;
    }

    private List<Map<String, String>> renewals(Principal.Host host, List<JsonFields> running) {
        List<ActiveRun> held =
                running.stream()
                        .map(
                                run ->
                                        new ActiveRun(
                                                new RunId(run.text("runId")),
                                                (int) run.number("attempt")))
                        .toList();
        List<LeaseRenewal> renewals = queue.renew(host, held);
        List<Map<String, String>> told = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            told.add(
                    Map.of(
                            "runId",
                            held.get(i).run().value(),
                            "do",
                            renewals.get(i).name().toLowerCase(Locale.ROOT)));
        }
        return told;
    }

    private Response next(Request request) {
        boolean atOnce = request.query("wait").filter("0"::equals).isPresent();
        Duration wait =
                atOnce ? Duration.ZERO : Duration.ofSeconds(request.query("wait", 0, LONGEST_WAIT));
        try {
            Principal.Host host = DispatchResponses.host(request);
            ClaimResult claim =
                    jobLongPoll.next(
                            host, request.query("worker").orElse(""), wanted(request), wait);
            return switch (claim) {
                case ClaimResult.Claimed(Assignment run) ->
                        Response.json(
                                AssignmentJson.of(run),
                                () -> UndeliveredClaims.giveBack(queue, host, claim));
                case ClaimResult.AtCap(), ClaimResult.RateLimited(), ClaimResult.NothingPending() ->
                        Response.done();
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "the hub is closing; ask again", e);
        }
    }

    private static ClaimScope wanted(Request request) {
        return switch (request.query("only").orElse("")) {
            case "" -> ClaimScope.ANYTHING;
            case "steering" -> ClaimScope.STEERING;
            default -> throw DispatchResponses.bad("query 'only' must be steering, or left out");
        };
    }

    private Response print(Request request) {
        RunId run = new RunId(request.parameter("run"));
        List<JsonFields> chunks = request.fields().list("chunks");
        if (chunks.size() > MOST_CHUNKS) {
            throw DispatchResponses.bad("at most %d chunks at a time".formatted(MOST_CHUNKS));
        }
        List<OutputChunk> all =
                chunks.stream()
                        .map(
                                chunk ->
                                        new OutputChunk(
                                                chunk.number("n"),
                                                chunk.text("stream"),
                                                chunk.longText("text", OutputStore.LONGEST_CHUNK)))
                        .toList();
        boolean stored =
                database.write(tx -> output.append(tx, DispatchResponses.host(request), run, all));
        if (!stored) {
            throw DispatchResponses.no("run", run.value());
        }
        return Response.done();
    }

    private Response report(Request request) {
        RunId run = new RunId(request.parameter("run"));
        JsonFields fields = request.fields().only("attempt", "status", "result");
        String status = fields.text("status");
        RunOutcome outcome =
                Stream.of(RunOutcome.values())
                        .filter(o -> o.status().label().equals(status))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        DispatchResponses.bad(
                                                "status must be succeeded, failed, cancelled or timed_out"));
        RunReport report =
                new RunReport(
                        run,
                        (int) fields.number("attempt"),
                        outcome,
                        fields.json("result").orElse(null));
        Principal.Host host = DispatchResponses.host(request);
        return request.query("next").filter("true"::equals).isPresent()
                ? settled(host, report, queue.settleAndClaim(host, report))
                : settled(host, report, new TurnResult(queue.settle(host, report), NOTHING));
    }

    private Response settled(Principal.Host host, RunReport report, TurnResult turn) {
        String settlement = turn.settlement().name().toLowerCase(Locale.ROOT);
        if (turn.next() instanceof ClaimResult.Claimed(Assignment next)) {
            return Response.json(
                    Map.of("settlement", settlement, "next", AssignmentJson.of(next)),
                    () -> UndeliveredClaims.giveBack(queue, host, turn.next()));
        }
        if (turn.settlement() == ReportResult.UNKNOWN) {
            throw DispatchResponses.no("run", report.run().value());
        }
        return Response.json(Map.of("settlement", settlement));
    }
}
