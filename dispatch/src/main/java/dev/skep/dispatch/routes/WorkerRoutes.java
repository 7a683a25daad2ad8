package dev.skep.dispatch.routes;

import dev.skep.dispatch.host.Heartbeat;
import dev.skep.dispatch.host.HeartbeatReceiver;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.job.ServerId;
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
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.wire.call.HeartbeatAnswer;
import dev.skep.wire.call.HeartbeatAnswer.RunOrder;
import dev.skep.wire.call.HubCall;
import dev.skep.wire.call.OutputChunk;
import dev.skep.wire.call.ReportAnswer;
import dev.skep.wire.call.RunAssignment;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The routes that a host calls: seed 3's agent, which sends heartbeats, polls and reports. */
public final class WorkerRoutes implements Route.Source {
    private static final int LONGEST_WAIT = 60;

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
                post(HubCall.Heartbeat.PATH, this::beat)
                        .described(
                                Operation.of(
                                                "A host's heartbeat; the answer says what to do about its runs.")
                                        .takes(WorkerBodies.Heartbeat.class)
                                        .answers(WorkerBodies.HeartbeatOrders.class)),
                post(HubCall.NextRun.PATH, this::next)
                        .described(
                                Operation.of(
                                                "The host's next run, or 204 when there is none in time.")
                                        .query(
                                                HubCall.NextRun.WAIT,
                                                int.class,
                                                "seconds to wait for one, 0 to 60")
                                        .query(
                                                HubCall.NextRun.WORKER,
                                                String.class,
                                                "the process that asks; what an earlier one waits for is forgotten")
                                        .query(
                                                HubCall.NextRun.ONLY,
                                                String.class,
                                                "steering: only jobs that take no slot")
                                        .answers(WorkerBodies.AssignedRun.class)
                                        .answersNothing()),
                post(HubCall.Output.PATH, this::print)
                        .described(
                                Operation.of("Pieces of what a run printed.")
                                        .takes(WorkerBodies.Printed.class)
                                        .answersNothing()),
                post(HubCall.Report.PATH, this::report)
                        .described(
                                Operation.of(
                                                "How a run ended; with next=true the answer contains the next run.")
                                        .query(
                                                HubCall.Report.NEXT,
                                                boolean.class,
                                                "whether the host would execute another run")
                                        .takes(WorkerBodies.Ended.class)
                                        .answers(WorkerBodies.Settled.class)));
    }

    private static Route post(String path, Route.Handler handler) {
        return new Route(HttpMethod.POST, path, Access.hosts(), OrgScope.CALLER, handler);
    }

    private Response beat(Request request) {
        Principal.Host host = DispatchResponses.host(request);
        HubCall.Heartbeat beat = HubCall.Heartbeat.read(request.fields());
        boolean known =
                beats.take(
                        new Heartbeat(
                                host,
                                beat.version().orElse(null),
                                beat.keyVersion().orElse(null),
                                beat.metrics().orElse(null),
                                beat.allows().map(Consents::reported).orElse(null),
                                beat.facts().orElse(null)));
        if (!known) {
            throw new SkepException(
                    ErrorCode.FORBIDDEN,
                    "host %s is enrolled with another org here".formatted(host.id()));
        }
        if (!beat.servers().isEmpty()) {
            Instant now = clock.instant();
            database.write(
                    tx -> {
                        servers.storeReportedStates(tx, host, reportedStates(beat, now), now);
                        return true;
                    });
        }
        return Response.written(
                new HeartbeatAnswer(beats.interval(), orders(host, beat.running())).json());
    }

    private static List<ServerStore.ReportedState> reportedStates(
            HubCall.Heartbeat beat, Instant now) {
        List<ServerStore.ReportedState> states = new ArrayList<>();
        beat.servers()
                .forEach(
                        (id, server) ->
                                states.add(
                                        new ServerStore.ReportedState(
                                                id,
                                                server.state(),
                                                server.age()
                                                        .map(age -> since(age, now))
                                                        .orElse(null))));
        return states;
    }

    private static Instant since(Duration age, Instant now) {
        return now.minusSeconds(Math.clamp(age.toSeconds(), 0, OLDEST));
    }

    private Map<String, RunOrder> orders(
            Principal.Host host, List<HubCall.HeldAttempt> heldAttempts) {
        List<ActiveRun> held =
                heldAttempts.stream()
                        .map(run -> new ActiveRun(new RunId(run.runId()), run.attempt()))
                        .toList();
        List<LeaseRenewal> renewals = queue.renew(host, held);
        Map<String, RunOrder> orders = new LinkedHashMap<>();
        for (int i = 0; i < held.size(); i++) {
            orders.put(held.get(i).run().value(), order(renewals.get(i)));
        }
        return orders;
    }

    private static RunOrder order(LeaseRenewal renewal) {
        return switch (renewal) {
            case RENEWED -> RunOrder.RENEWED;
            case CANCEL -> RunOrder.CANCEL;
            case GONE -> RunOrder.GONE;
        };
    }

    private Response next(Request request) {
        boolean atOnce = request.query(HubCall.NextRun.WAIT).filter("0"::equals).isPresent();
        Duration wait =
                atOnce
                        ? Duration.ZERO
                        : Duration.ofSeconds(request.query(HubCall.NextRun.WAIT, 0, LONGEST_WAIT));
        try {
            Principal.Host host = DispatchResponses.host(request);
            ClaimResult claim =
                    jobLongPoll.next(
                            host,
                            request.query(HubCall.NextRun.WORKER).orElse(""),
                            wanted(request),
                            wait);
            return switch (claim) {
                case ClaimResult.Claimed(Assignment run) ->
                        Response.written(
                                assignment(run).json(),
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
        return switch (request.query(HubCall.NextRun.ONLY).orElse("")) {
            case "" -> ClaimScope.ANYTHING;
            case HubCall.NextRun.STEERING -> ClaimScope.STEERING;
            default -> throw DispatchResponses.bad("query 'only' must be steering, or left out");
        };
    }

    private static RunAssignment assignment(Assignment run) {
        return new RunAssignment(
                run.job().value(),
                run.run().value(),
                Optional.of(run.host().value()),
                Optional.ofNullable(run.server()).map(ServerId::value),
                run.type(),
                run.payload(),
                run.attempt(),
                Optional.ofNullable(run.timeout()));
    }

    private Response print(Request request) {
        RunId run = new RunId(request.parameter("run"));
        List<OutputChunk> chunks = HubCall.Output.readChunks(request.fields());
        boolean stored =
                database.write(
                        tx -> output.append(tx, DispatchResponses.host(request), run, chunks));
        if (!stored) {
            throw DispatchResponses.no("run", run.value());
        }
        return Response.done();
    }

    private Response report(Request request) {
        boolean wantsNext = request.query(HubCall.Report.NEXT).filter("true"::equals).isPresent();
        HubCall.Report call =
                HubCall.Report.read(request.parameter("run"), wantsNext, request.fields());
        RunReport report =
                new RunReport(
                        new RunId(call.runId()),
                        call.attempt(),
                        RunOutcome.valueOf(call.status().name()),
                        call.result().orElse(null));
        Principal.Host host = DispatchResponses.host(request);
        return wantsNext
                ? settled(host, report, queue.settleAndClaim(host, report))
                : settled(host, report, new TurnResult(queue.settle(host, report), NOTHING));
    }

    private Response settled(Principal.Host host, RunReport report, TurnResult turn) {
        String settlement = turn.settlement().name().toLowerCase(Locale.ROOT);
        if (turn.next() instanceof ClaimResult.Claimed(Assignment next)) {
            return Response.written(
                    new ReportAnswer(settlement, Optional.of(assignment(next))).json(),
                    () -> UndeliveredClaims.giveBack(queue, host, turn.next()));
        }
        if (turn.settlement() == ReportResult.UNKNOWN) {
            throw DispatchResponses.no("run", report.run().value());
        }
        return Response.written(new ReportAnswer(settlement, Optional.empty()).json());
    }
}
