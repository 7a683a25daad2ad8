package dev.skep.benchmark.dispatch;

import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.event.HubEvents;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.JobEndListener;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.retry.Backoff;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A queue with hosts that claim and complete as fast as they can, each within its limits. */
final class BenchmarkHub implements AutoCloseable {
    static final OrgId ORG = new OrgId("default");
    private static final InstantSource CLOCK = InstantSource.system();

    /** Both limits on: the cap below what asks for it, the rate too high to be met. */
    private static final HostLimits LIMITS = new HostLimits(4, 100_000_000);

    private static final int BATCH = 1_000;

    final Database database;
    final JobQueue queue;
    private final HubEvents events;
    private final List<Runnable> afterwards;
    private final HostHealthStore healths = new HostHealthStore();

    /**
     * A hub that works.
     *
     * @param afterwards what is closed after it, in this order
     */
    BenchmarkHub(
            DatabaseUrl url, Function<QueueDependencies, JobQueue> engine, Runnable... afterwards) {
        this.afterwards = List.of(afterwards);
        this.database = Databases.open(url, CLOCK);
        Random random = new Random();
        UlidSource ids = new UlidSource(CLOCK, random);
        EventPublisher eventPublisher = new EventPublisher(new EventBus(), ids, CLOCK);
        // Where events are rows, they get their places while jobs run, as in a hub.
        this.events =
                new HubEvents(database, eventPublisher, (transaction, org, placed) -> {}, CLOCK);
        events.start();
        this.queue =
                engine.apply(
                        new QueueDependencies(
                                database,
                                CLOCK,
                                CLOCK,
                                ids,
                                new RunRules(
                                        Backoff.full(Duration.ofSeconds(1), Duration.ofMinutes(5)),
                                        random),
                                QueueSettings.STANDARD,
                                (transaction, actor, action, target, detail) -> {},
                                eventPublisher,
                                JobEndListener.NONE));
        queue.start();
    }

    List<Principal.Host> admit(OrgId org, String prefix, int count) {
        List<Principal.Host> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hosts.add(new Principal.Host(org, new HostId("%s-%05d".formatted(prefix, i))));
        }
        database.write(
                transaction -> {
                    Instant now = CLOCK.instant();
                    healths.admit(
                            transaction, org, hosts.stream().map(Principal.Host::id).toList(), now);
                    hosts.forEach(h -> healths.setLimits(transaction, h.id(), LIMITS, now));
                    return hosts.size();
                });
        return hosts;
    }

    /** Puts jobs into the queue, spread over the hosts. */
    void create(List<Principal.Host> hosts, int count) {
        Actor actor = Actor.local(hosts.getFirst().org());
        for (int made = 0; made < count; made += BATCH) {
            List<NewJob> batch = new ArrayList<>(BATCH);
            for (int i = made; i < Math.min(count, made + BATCH); i++) {
                batch.add(
                        NewJob.plain(
                                hosts.get(i % hosts.size()).id(),
                                "shell",
                                "{\"command\":\"true\",\"n\":%d}".formatted(i)));
            }
            queue.create(actor, batch);
        }
    }

    /** Claims and completes so many jobs and returns how many that were per second. */
    double work(List<Principal.Host> hosts, int claimers, int jobs) throws Exception {
        AtomicInteger left = new AtomicInteger(jobs);
        long start = System.nanoTime();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < claimers; i++) {
                Principal.Host host = hosts.get(i % hosts.size());
                all.add(
                        pool.submit(
                                () -> {
                                    complete(host, left);
                                    return true;
                                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        return jobs * 1e9 / (System.nanoTime() - start);
    }

    /** How long one job takes from create to claim, the median of some. */
    double startMillis(Principal.Host host) {
        double[] millis = new double[51];
        for (int i = 0; i < millis.length; i++) {
            long from = System.nanoTime();
            create(List.of(host), 1);
            completeOne(host);
            millis[i] = (System.nanoTime() - from) / 1e6;
        }
        return DispatchBenchmark.median(millis);
    }

    /** One run after the other, each report asking for the next as a runner does. */
    private void complete(Principal.Host host, AtomicInteger left) {
        if (left.getAndDecrement() <= 0) {
            return;
        }
        ClaimResult claim = queue.claim(host);
        while (claim instanceof ClaimResult.Claimed(Assignment run)) {
            if (left.getAndDecrement() > 0) {
                claim = queue.settleAndClaim(host, succeeded(run)).next();
            } else {
                queue.settle(host, succeeded(run));
                return;
            }
        }
    }

    private void completeOne(Principal.Host host) {
        if (queue.claim(host) instanceof ClaimResult.Claimed(Assignment run)) {
            queue.settle(host, succeeded(run));
        }
    }

    private static RunReport succeeded(Assignment run) {
        return new RunReport(run.run(), run.attempt(), RunOutcome.SUCCEEDED, "{\"ok\":1}");
    }

    @Override
    public void close() {
        queue.close();
        events.close();
        database.close();
        afterwards.forEach(Runnable::run);
    }
}
