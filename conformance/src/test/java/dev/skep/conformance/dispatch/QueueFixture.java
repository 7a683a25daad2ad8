package dev.skep.conformance.dispatch;

import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.retry.Backoff;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.RedisServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A queue on a new database, with two orgs and a host in each. */
final class QueueFixture implements AutoCloseable {
    static final OrgId ORG = new OrgId("default");
    static final OrgId OTHER_ORG = new OrgId("01ORG0000000000000000000BB");
    static final Principal.Host HOST = new Principal.Host(ORG, new HostId("host-a"));
    static final Principal.Host SECOND = new Principal.Host(ORG, new HostId("host-b"));
    static final Principal.Host FOREIGN = new Principal.Host(OTHER_ORG, new HostId("host-x"));
    static final Actor OPERATOR = Actor.local(ORG);
    static final Backoff BACKOFF = Backoff.full(Duration.ofSeconds(4), Duration.ofMinutes(1));

    final SettableClock time = SettableClock.atNewYear();

    /** How far somebody has set the wall clock while time went on. */
    volatile Duration wallStep = Duration.ZERO;

    final HostHealthStore hosts = new HostHealthStore();
    final List<FleetEvent> received = Collections.synchronizedList(new ArrayList<>());
    final List<String> audited = Collections.synchronizedList(new ArrayList<>());
    volatile AuditRecorder audit = (tx, actor, action, target, detail) -> audited.add(action);

    /** Runs inside the transaction that ends a job. */
    volatile Runnable whileEnding = () -> {};

    final Database database;
    private final QueueEngine engine;
    private final Optional<RedisServer> redis;
    private final InstantSource clock;
    private final InstantSource steady;
    private Runnable closing = () -> {};
    private QueueEngine.Started started;

    /** On what the tests of this process share. */
    QueueFixture(QueueEngine engine) {
        this(engine, SharedServers.database(engine.database()), Optional.empty(), Optional.empty());
    }

    /** On a given clock instead of the settable one, in a Redis of its own if it is given one. */
    QueueFixture(
            QueueEngine engine,
            DatabaseUrl url,
            Optional<InstantSource> clock,
            Optional<RedisServer> redis) {
        this(engine, Databases.open(url, InstantSource.system()), clock, redis);
        closing = database::close;
    }

    private QueueFixture(
            QueueEngine engine,
            Database database,
            Optional<InstantSource> clock,
            Optional<RedisServer> redis) {
        this.engine = engine;
        this.database = database;
        this.redis = redis;
        this.clock = clock.orElse(() -> time.instant().plus(wallStep));
        this.steady = clock.orElse(time);
        if (redis.isEmpty()) {
            engine.clean();
        }
        database.write(
                tx -> {
                    hosts.admit(tx, ORG, List.of(HOST.id(), SECOND.id()), this.clock.instant());
                    hosts.admit(tx, OTHER_ORG, List.of(FOREIGN.id()), this.clock.instant());
                    return true;
                });
        this.started = engine.start(queueDependencies(), redis);
    }

    private QueueDependencies queueDependencies() {
        EventBus eventBus = new EventBus();
        eventBus.subscribe(received::add);
        // Two hubs at the same moment by the same clock must not name their rows alike.
        UlidSource ofRows = new UlidSource(clock, new Random());
        return new QueueDependencies(
                database,
                clock,
                steady,
                new UlidSource(clock, new Random(5)),
                new RunRules(BACKOFF, new Random(9)),
                QueueSettings.STANDARD,
                (tx, actor, action, target, detail) ->
                        audit.record(tx, actor, action, target, detail),
                new EventPublisher(eventBus, ofRows, clock),
                (tx, run, status) -> whileEnding.run());
    }

    JobQueue queue() {
        return started.queue();
    }

    /** The same queue as another hub process would open it. */
    QueueEngine.Started secondHub() {
        return engine.start(queueDependencies(), redis);
    }

    /** The hub's process ends and another starts. */
    void restart() {
        restart(engine);
    }

    /** The same with another engine on the same database. */
    void restart(QueueEngine other) {
        started.close();
        started = other.start(queueDependencies(), redis);
    }

    void limit(Principal.Host host, HostLimits limits) {
        database.write(
                tx -> {
                    hosts.setLimits(tx, host.id(), limits, clock.instant());
                    return true;
                });
    }

    CreatedJob create(NewJob job) {
        return queue().create(OPERATOR, List.of(job)).getFirst();
    }

    CreatedJob create() {
        return create(job());
    }

    static NewJob job() {
        return NewJob.plain(HOST.id(), "shell", "{\"command\":\"true\"}");
    }

    Assignment claimed(Principal.Host host) {
        return ((ClaimResult.Claimed) queue().claim(host)).assignment();
    }

    ReportResult settle(Principal.Host host, Assignment run, RunOutcome outcome) {
        return queue().settle(host, new RunReport(run.run(), run.attempt(), outcome, "{\"ok\":1}"));
    }

    String status(CreatedJob job) {
        return database.read(
                s ->
                        s.first(
                                        """
                                        SELECT r.status FROM jobs j JOIN job_runs r ON r.id = j.run_id
                                        WHERE j.id = ?\
                                        """,
                                        row -> row.text("status"),
                                        job.job().value())
                                .orElseThrow());
    }

    @Override
    public void close() {
        started.close();
        redis.ifPresent(RedisServer::close);
        closing.run();
    }
}
