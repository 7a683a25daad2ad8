package dev.skep.dispatch.routes;

import dev.skep.directory.operator.CallerName;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.job.SteeringJobTypes;
import dev.skep.dispatch.output.OutputStore;
import dev.skep.dispatch.policy.JobPolicyStore;
import dev.skep.dispatch.queue.CancelResult;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.HostCapacity;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.RetryResult;
import dev.skep.dispatch.server.ServerStore;
import dev.skep.dispatch.view.JobDetails;
import dev.skep.dispatch.view.JobFilter;
import dev.skep.dispatch.view.JobQueries;
import dev.skep.dispatch.view.RunDetails;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.kernel.job.JobKind;
import dev.skep.kernel.job.JobPermissions;
import dev.skep.store.Database;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Sparse;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.wire.call.OutputChunk;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Jobs: asking for work, looking at it, stopping and repeating it. */
public final class JobRoutes implements Route.Source {
    private static final String ALL = "/api/orgs/{org}/jobs";
    private static final String ONE = ALL + "/{job}";
    private static final int MOST_ATTEMPTS = 100;
    private static final int HIGHEST_PRIORITY = 1_000;

    private final Database database;
    private final JobQueue queue;
    private final HostHealthStore hosts;
    private final HostConsents consents;
    private final ServerStore servers;
    private final OutputStore output;
    private final JobPolicyStore policies;
    private final InstantSource clock;

    public JobRoutes(
            Database database,
            JobQueue queue,
            HostHealthStore hosts,
            ServerStore servers,
            OutputStore output,
            JobPolicyStore policies,
            InstantSource clock) {
        this.database = database;
        this.queue = queue;
        this.hosts = hosts;
        this.consents = new HostConsents(database);
        this.servers = servers;
        this.output = output;
        this.policies = policies;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        Access see = Access.operators(Role.VIEWER).orAgents();
        Access act = Access.operators(Role.OPERATOR).orAgents();
        return List.of(
                new Route(HttpMethod.GET, ALL, see, OrgScope.PATH, this::list)
                        .described(
                                Operation.of("Jobs, newest first.")
                                        .query("status", RunStatus.class, "of the newest run")
                                        .query("hostId", String.class, "only of this host")
                                        .query("host", String.class, "hostId, as it was called")
                                        .query(
                                                "serverInstanceId",
                                                String.class,
                                                "only of this server")
                                        .query(
                                                "server",
                                                String.class,
                                                "serverInstanceId, as it was called")
                                        .query("type", String.class, "only of this type")
                                        .query("before", String.class, "next of the page before")
                                        .query("limit", int.class, "1 to 1000, usually 100")
                                        .answers(JobPage.class)),
                new Route(HttpMethod.POST, ALL, act, OrgScope.PATH, this::create)
                        .described(
                                Operation.of(
                                                "Creates a job (201); the same idempotency key returns the same job (200).")
                                        .takes(JobRequest.class)
                                        .example(EXAMPLE)
                                        .creates(JobDetails.class)
                                        .answers(JobDetails.class)),
                new Route(HttpMethod.GET, ONE, see, OrgScope.PATH, this::show)
                        .described(
                                Operation.of("One job with its newest run.")
                                        .answers(JobDetails.class)),
                new Route(HttpMethod.GET, ONE + "/runs", see, OrgScope.PATH, this::runs)
                        .described(Operation.of("All attempts at a job.").answers(RunList.class)),
                new Route(
                                HttpMethod.GET,
                                ONE + "/runs/{run}/output",
                                see,
                                OrgScope.PATH,
                                this::printed)
                        .described(
                                Operation.of("What a run printed after a piece.")
                                        .query(
                                                "after",
                                                long.class,
                                                "number of the last known piece")
                                        .answers(OutputPieces.class)),
                new Route(HttpMethod.POST, ONE + "/cancel", act, OrgScope.PATH, this::cancel)
                        .described(
                                Operation.of(
                                                "Cancels a job; a running one ends with the next heartbeat.")
                                        .answers(JobDetails.class)),
                new Route(HttpMethod.POST, ONE + "/retry", act, OrgScope.PATH, this::retry)
                        .described(
                                Operation.of("Runs a finished job once more.")
                                        .creates(JobDetails.class)));
    }

    private static final JobRequest EXAMPLE =
            new JobRequest(
                    null,
                    "01K9ZB4T6Q0V3R8M2N5X7Y1CDE",
                    "shell",
                    Map.of("command", "make test"),
                    0,
                    "nightly-2026-11-15",
                    600L,
                    2,
                    null);

    private record JobPage(List<JobDetails> jobs, @Nullable String next) implements Sparse {}

    private record RunList(List<RunDetails> runs) {}

    private record OutputPieces(List<OutputChunk> chunks) {}

    /**
     * A job that somebody asks for.
     *
     * @param hostId where; needed if there is no serverInstanceId
     * @param payload what its type needs, such as {@code {"command": …}}
     */
    private record JobRequest(
            @Nullable String serverInstanceId,
            @Nullable String hostId,
            String type,
            @Nullable Object payload,
            @Nullable Integer priority,
            @Nullable String idempotencyKey,
            @Nullable Long timeoutSeconds,
            @Nullable Integer maxAttempts,
            @Nullable Instant runAt) {}

    private Response list(Request request) {
        int limit = DispatchResponses.limit(request);
        JobFilter filter =
                new JobFilter(
                        request.query("status"),
                        DispatchResponses.named(request, "hostId", "host"),
                        DispatchResponses.named(request, "serverInstanceId", "server"),
                        request.query("type"),
                        request.query("before"),
                        limit);
        List<JobDetails> jobs = database.read(s -> JobQueries.list(s, request.principal(), filter));
        return Response.json(
                new JobPage(jobs, DispatchResponses.next(jobs, limit, JobDetails::id)));
    }

    private Response create(Request request) {
        JsonFields fields = request.fields().only(JobRequest.class);
        JobPermissions.require(request.principal(), fields.text("type"), granted(request));
        NewJob job = job(request, fields);
        consents.requireForJob(request.org(), job.host(), job.type());
        refuseExcess(request, job);
        CreatedJob created = queue.create(request.actor(), List.of(job)).getFirst();
        JobDetails jobDetails = found(request, created.job().value());
        return created.isNew() ? Response.created(jobDetails) : Response.json(jobDetails);
    }

    /** What the org lets its agents ask for. */
    private List<String> granted(Request request) {
        return request.principal() instanceof Principal.Agent
                ? database.read(s -> policies.of(s, request.org())).agentJobTypes()
                : List.of();
    }

    private JobDetails requireOver(Request request) {
        JobDetails job = found(request, request.parameter("job"));
        JobPermissions.requireOver(
                request.principal(), job.type(), job.createdById(), granted(request));
        return job;
    }

    /** If the org's policy says so, refuses a job that would have to wait for its host's limits. */
    private void refuseExcess(Request request, NewJob job) {
        if (SteeringJobTypes.steers(job)
                || job.runAt() != null
                || !database.read(s -> policies.of(s, request.org())).refuseExcess()) {
            return;
        }
        HostCapacity hostCapacity = queue.room(new Principal.Host(request.org(), job.host()));
        String key = job.idempotencyKey();
        boolean known =
                key != null && database.read(s -> JobQueries.isKnown(s, request.org(), key));
        if (hostCapacity == HostCapacity.FREE || known) {
            return;
        }
        throw new SkepException(
                ErrorCode.TOO_MANY_REQUESTS,
                hostCapacity == HostCapacity.AT_CAP
                        ? "host %s has as many jobs as it may; try again later"
                                .formatted(job.host())
                        : "host %s may not start another job in this minute; try again in the next"
                                .formatted(job.host()));
    }

    private NewJob job(Request request, JsonFields fields) {
        Optional<ServerStore.Target> server =
                JobPayloadValidator.server(fields)
                        .map(
                                id ->
                                        database.read(s -> servers.target(s, request.org(), id))
                                                .orElseThrow(
                                                        () ->
                                                                DispatchResponses.no(
                                                                        "server", id.value())));
        HostId host = server.map(ServerStore.Target::host).orElseGet(() -> hostId(fields));
        if (!database.write(tx -> hosts.isOf(tx, request.org(), host, clock.instant()))) {
            throw DispatchResponses.no("host", host.value());
        }
        String type = fields.text("type");
        return new NewJob(
                host,
                server.map(ServerStore.Target::id).orElse(null),
                type,
                JobPayloadValidator.payload(
                        type,
                        fields,
                        server,
                        () -> database.read(s -> CallerName.of(s, request.principal()))),
                within(fields, "priority", 0, -HIGHEST_PRIORITY, HIGHEST_PRIORITY),
                fields.optionalText("idempotencyKey").filter(k -> !k.isBlank()).orElse(null),
                TimeLimit.of(type, fields),
                within(fields, "maxAttempts", 1, 1, MOST_ATTEMPTS),
                fields.optionalText("runAt").map(JobRoutes::time).orElse(null));
    }

    private static HostId hostId(JsonFields fields) {
        return fields.optionalId("hostId", HostId::new)
                .orElseThrow(() -> DispatchResponses.bad("name a serverInstanceId or a hostId"));
    }

    private static int within(JsonFields fields, String name, int otherwise, int least, int most) {
        long value = fields.optionalNumber(name).orElse((long) otherwise);
        if (value < least || value > most) {
            throw DispatchResponses.bad(
                    "field '%s' must be from %d to %d".formatted(name, least, most));
        }
        return (int) value;
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw DispatchResponses.bad("field 'runAt' must be a time like 2026-11-15T08:00:00Z");
        }
    }

    private Response show(Request request) {
        return Response.json(found(request, request.parameter("job")));
    }

    private JobDetails found(Request request, String job) {
        return database.read(s -> JobQueries.find(s, request.principal(), job))
                .orElseThrow(() -> DispatchResponses.no("job", job));
    }

    private Response runs(Request request) {
        String job = request.parameter("job");
        found(request, job);
        return Response.json(
                new RunList(database.read(s -> JobQueries.runs(s, request.principal(), job))));
    }

    private Response printed(Request request) {
        String job = request.parameter("job");
        String run = request.parameter("run");
        found(request, job);
        if (database.read(s -> JobQueries.run(s, request.principal(), job, run)).isEmpty()) {
            throw DispatchResponses.no("run", run);
        }
        long after = request.query("after").map(JobRoutes::number).orElse(-1L);
        List<OutputChunk> chunks =
                database.read(
                        s ->
                                output.after(
                                        s,
                                        request.principal(),
                                        new RunId(run),
                                        after,
                                        DispatchResponses.LARGEST_PAGE));
        return Response.json(new OutputPieces(chunks));
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw DispatchResponses.bad("query 'after' must be a whole number");
        }
    }

    private Response cancel(Request request) {
        JobId job = new JobId(requireOver(request).id());
        CancelResult cancelResult = queue.cancel(request.actor(), job);
        return switch (cancelResult) {
            case CANCELLED, ASKED -> Response.json(found(request, job.value()));
            case OVER ->
                    throw new SkepException(
                            ErrorCode.CONFLICT, "job %s is over already".formatted(job));
            case UNKNOWN -> throw DispatchResponses.no("job", job.value());
        };
    }

    private Response retry(Request request) {
        JobDetails before = requireOver(request);
        JobId job = new JobId(before.id());
        if (JobKind.of(before.type()).filter(JobKind::isDecision).isPresent()) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "a decision is not repeated; decide about the command again");
        }
        return switch (queue.retry(request.actor(), job)) {
            case RetryResult.Retried _ -> Response.created(found(request, job.value()));
            case RetryResult.StillActive() ->
                    throw new SkepException(
                            ErrorCode.CONFLICT,
                            "job %s still waits or runs; cancel it first".formatted(job));
            case RetryResult.Unknown() -> throw DispatchResponses.no("job", job.value());
        };
    }
}
