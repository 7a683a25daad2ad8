package dev.skep.browser.demo;

import dev.skep.directory.org.DefaultOrg;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.job.ServerId;
import dev.skep.dispatch.output.OutputStore;
import dev.skep.dispatch.queue.ledger.JobStore;
import dev.skep.dispatch.queue.ledger.QueueOrderOwner;
import dev.skep.dispatch.queue.ledger.RunStepStore;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.dispatch.server.ServerDetails;
import dev.skep.dispatch.server.ServerStore;
import dev.skep.dispatch.view.JobDetails;
import dev.skep.dispatch.view.JobFilter;
import dev.skep.dispatch.view.JobQueries;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.transport.route.Json;
import dev.skep.wire.call.OutputChunk;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes jobs and servers as a hub and its hosts would have over the last days. Thread-safe. */
final class DemoJobs {
    private static final List<RunStatus> STATUSES =
            List.of(
                    RunStatus.SUCCEEDED,
                    RunStatus.SUCCEEDED,
                    RunStatus.RUNNING,
                    RunStatus.SUCCEEDED,
                    RunStatus.FAILED,
                    RunStatus.SUCCEEDED,
                    RunStatus.PENDING,
                    RunStatus.SUCCEEDED,
                    RunStatus.CANCELLED,
                    RunStatus.TIMED_OUT,
                    RunStatus.SUCCEEDED,
                    RunStatus.PENDING);
    private static final List<String> SUMMARIES =
            List.of(
                    "backup.sh --incremental",
                    "reindex pages",
                    "tidy the inbox and report",
                    "restart search");

    /** From the start of one attempt to that of the next. */
    private static final Duration EACH = Duration.ofMinutes(2);

    private static final List<String> TYPES =
            List.of("shell", "shell", "agent.task", "server.restart");

    private static final Principal LOCAL = new Principal.Local(DefaultOrg.DEFAULT);

    private final Database database;
    private final UlidSource ids;
    private final JobStore jobs = new JobStore();
    private final RunStore runs = new RunStore(QueueOrderOwner.HERE);
    private final RunStepStore steps = new RunStepStore();
    private final OutputStore output = new OutputStore();
    private final ServerStore servers = new ServerStore();

    DemoJobs(Database database, UlidSource ids) {
        this.database = database;
        this.ids = ids;
    }

    /**
     * Of a fleet without jobs there are no servers either.
     *
     * @param operators who made the jobs, in turn
     */
    void seed(List<DemoHost> hosts, int count, List<Actor> operators, Instant now) {
        database.write(
                transaction -> {
                    for (int i = count; i > 0; i--) {
                        seedJob(transaction, hosts, i, operators.get(i % operators.size()), now);
                    }
                    for (int i = 0; i < (count == 0 ? 0 : 12); i++) {
                        seedServer(transaction, hosts, i, now);
                    }
                    return count;
                });
    }

    private void seedJob(
            Transaction transaction, List<DemoHost> hosts, int i, Actor by, Instant now) {
        RunStatus status = STATUSES.get(i % STATUSES.size());
        Instant created = now.minus(Duration.ofMinutes(i * 7L));
        int type = (i + i / STATUSES.size()) % TYPES.size();
        HostId host = new HostId(hosts.get(i % hosts.size()).id());
        NewJob job =
                NewJob.plain(
                                host,
                                TYPES.get(type),
                                Json.text(Map.of("command", SUMMARIES.get(type))))
                        .withPriority(i % 5 == 0 ? 10 : 0)
                        .withTimeout(Duration.ofMinutes(2))
                        .withMaxAttempts(3);
        JobId id = insert(transaction, by, job, created);
        int attempts = status == RunStatus.FAILED ? 3 : 1;
        Instant begun = created.plusMillis(40);
        for (int attempt = 1; attempt < attempts; attempt++) {
            start(transaction, id, attempt, host, begun);
            end(transaction, id, attempt, status, begun.plusSeconds(3 + i % 90));
            addRun(transaction, id, attempt + 1, host, job.priority());
            begun = begun.plus(EACH);
        }
        if (status != RunStatus.PENDING) {
            start(transaction, id, attempts, host, begun);
        }
        if (status.isOver()) {
            end(transaction, id, attempts, status, begun.plusSeconds(3 + i % 90));
        }
    }

    private JobId insert(Transaction transaction, Actor by, NewJob job, Instant at) {
        JobId id = new JobId(ids.next());
        jobs.insert(transaction, by, at, List.of(new JobStore.Row(id, RunId.of(id, 1), job)));
        addRun(transaction, id, 1, job.host(), job.priority());
        return id;
    }

    private void addRun(
            Transaction transaction, JobId job, int attempt, HostId host, int priority) {
        RunId run = RunId.of(job, attempt);
        runs.insert(
                transaction,
                List.of(
                        new RunStore.Pending(
                                new Run(
                                        run,
                                        DefaultOrg.DEFAULT,
                                        job,
                                        host,
                                        attempt,
                                        RunStatus.PENDING,
                                        priority,
                                        false,
                                        0,
                                        0),
                                null)));
        jobs.setNewestRuns(
                transaction, List.<@Nullable Object[]>of(new Object[] {run.value(), job.value()}));
    }

    private void start(
            Transaction transaction, JobId job, int attempt, HostId host, Instant begun) {
        RunId run = RunId.of(job, attempt);
        steps.start(transaction, List.of(run), new RunStepStore.Start(begun, begun, null));
        output.append(
                transaction,
                new Principal.Host(DefaultOrg.DEFAULT, host),
                run,
                IntStream.rangeClosed(1, 14).mapToObj(DemoJobs::piece).toList());
    }

    private static OutputChunk piece(int n) {
        return n == 14
                ? new OutputChunk(n, "stderr", "part 14 does not match its checksum, giving up\n")
                : new OutputChunk(
                        n, "stdout", "copied part %d of 14 (%d MB)\n".formatted(n, n * 37));
    }

    private void end(
            Transaction transaction, JobId job, int attempt, RunStatus status, Instant at) {
        String result =
                switch (status) {
                    case SUCCEEDED -> "{\"exitStatus\":0}";
                    case FAILED -> "{\"error\":\"exit status 2\"}";
                    case TIMED_OUT -> "{\"error\":\"stopped after 120 s\"}";
                    case PENDING, RUNNING, CANCELLED, LOST -> null;
                };
        runs.end(
                transaction,
                at,
                List.of(new RunStore.Ended(RunId.of(job, attempt), status, result)));
    }

    private void seedServer(Transaction transaction, List<DemoHost> hosts, int i, Instant now) {
        String name = List.of("search", "web", "queue", "metrics").get(i % 4);
        HostId host = new HostId(hosts.get(i * 2 % hosts.size()).id());
        ServerId id = new ServerId(ids.next());
        Instant since = now.minus(Duration.ofHours(3 + i * 11L));
        String command = "/opt/%s/bin/start --port %d".formatted(name, 9000 + i);
        servers.insert(
                transaction,
                DefaultOrg.DEFAULT,
                id,
                host,
                name + "-" + (i / 4 + 1),
                Json.text(Map.of("command", command)),
                since);
        String state = List.of("running", "running", "stopped", "running", "failed").get(i % 5);
        storeState(transaction, host, id, state, since);
    }

    private void storeState(
            Transaction transaction, HostId host, ServerId id, String state, Instant since) {
        servers.storeReportedStates(
                transaction,
                new Principal.Host(DefaultOrg.DEFAULT, host),
                List.of(new ServerStore.ReportedState(id.value(), state, since)),
                since);
    }

    /** The newest jobs in a state. */
    List<JobDetails> newest(RunStatus status, int limit) {
        var filter = JobFilter.newest(limit).withStatus(status.label());
        return database.read(snapshot -> JobQueries.list(snapshot, LOCAL, filter));
    }

    /** A person asks for a job. */
    JobId add(Actor by, NewJob job, Instant now) {
        return database.write(transaction -> insert(transaction, by, job, now));
    }

    void cancel(String id, Instant now) {
        database.write(
                transaction -> {
                    int attempt = found(transaction, id).run().attempt();
                    end(transaction, new JobId(id), attempt, RunStatus.CANCELLED, now);
                    return id;
                });
    }

    void retry(String id) {
        database.write(
                transaction -> {
                    JobDetails job = found(transaction, id);
                    addRun(
                            transaction,
                            new JobId(id),
                            job.run().attempt() + 1,
                            new HostId(job.hostId()),
                            job.priority());
                    return id;
                });
    }

    private static JobDetails found(Transaction transaction, String id) {
        return JobQueries.find(transaction, LOCAL, id)
                .orElseThrow(() -> new SkepException(ErrorCode.NOT_FOUND, "there is no job " + id));
    }

    /** A host did what a job asked of one of its servers; returns which host. */
    HostId changeServer(ServerId id, String state, Instant now) {
        return database.write(
                transaction -> {
                    ServerDetails server = servers.find(transaction, LOCAL, id).orElseThrow();
                    HostId host = new HostId(server.hostId());
                    storeState(transaction, host, id, state, now);
                    return host;
                });
    }
}
