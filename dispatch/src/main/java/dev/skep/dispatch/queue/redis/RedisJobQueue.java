package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.batch.GroupedCalls;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.Cancellation;
import dev.skep.dispatch.queue.Claim;
import dev.skep.dispatch.queue.Creation;
import dev.skep.dispatch.queue.Holding;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.Renewal;
import dev.skep.dispatch.queue.Report;
import dev.skep.dispatch.queue.Retry;
import dev.skep.dispatch.queue.Settlement;
import dev.skep.dispatch.queue.ledger.Hearing;
import dev.skep.dispatch.queue.ledger.HostHoldings;
import dev.skep.dispatch.queue.ledger.HostReport;
import dev.skep.dispatch.queue.ledger.Ledger;
import dev.skep.dispatch.queue.ledger.QueueParts;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.dispatch.queue.ledger.WaitingRuns;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import io.lettuce.core.RedisException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A queue in Redis whose runs are recorded in SQL before anybody is told of them. */
public final class RedisJobQueue implements JobQueue {
    private static final int GROUP = 256;
    private static final int SWEPT = 500;

    private final QueueParts parts;
    private final Ledger ledger;
    private final RedisLink link;
    private final RedisQueues queues;
    private final Reconciler reconciler;
    private final GroupedCalls<Principal.Host, Claim> claims;
    private final GroupedCalls<HostReport, Settlement> reports;
    private final List<Consumer<HostId>> listeners = new CopyOnWriteArrayList<>();

    public RedisJobQueue(QueueParts parts, RedisLink link) {
        this.parts = parts;
        this.ledger = parts.ledger();
        this.queues = new RedisQueues(link.commands());
        this.link = link;
        this.reconciler = new Reconciler(parts, ledger, queues);
        RedisClaims taking = new RedisClaims(parts, ledger, queues);
        this.claims = new GroupedCalls<>("job-claims", GROUP, taking::claim);
        this.reports = new GroupedCalls<>("job-reports", GROUP, this::settleAll);
    }

    @Override
    public void start() {
        inRedis(
                () -> {
                    reconciler.repairIfAsked();
                    link.listen("jobs:work", host -> tell(List.of(new HostId(host))));
                    return true;
                });
        claims.start();
        reports.start();
    }

    @Override
    public void close() {
        claims.close();
        reports.close();
    }

    @Override
    public void onWork(Consumer<HostId> listener) {
        listeners.add(listener);
    }

    @Override
    public List<Creation> create(Actor actor, List<NewJob> jobs) {
        Ledger.Stored stored = parts.database().write(tx -> ledger.create(tx, actor, now(), jobs));
        put(stored.pending());
        return stored.creations();
    }

    @Override
    public Claim claim(Principal.Host host) {
        return inRedis(
                () -> {
                    try {
                        return claims.call(host);
                    } catch (RedisQueues.Empty e) {
                        reconciler.ask();
                        reconciler.repairIfAsked();
                        return claims.call(host);
                    }
                });
    }

    @Override
    public List<Renewal> renew(Principal.Host host, List<Holding> held) {
        if (held.isEmpty()) {
            return List.of();
        }
        return inRedis(
                () ->
                        queues.renew(
                                new HostHoldings(host, held),
                                now().plus(parts.settings().lease())));
    }

    @Override
    public Settlement settle(Principal.Host host, Report report) {
        return reports.call(new HostReport(host, report));
    }

    private List<Settlement> settleAll(List<HostReport> said) {
        Hearing hearing = parts.database().write(tx -> ledger.hear(tx, parts.rules(), said, now()));
        forget(hearing.ended());
        put(hearing.next());
        return hearing.settlements();
    }

    @Override
    public Cancellation cancel(Actor actor, JobId job) {
        List<Run> found = new ArrayList<>();
        Cancellation cancellation =
                parts.database()
                        .write(
                                transaction -> {
                                    found.clear();
                                    return ledger.lockNewest(transaction, actor.org(), job)
                                            .map(
                                                    run -> {
                                                        found.add(run);
                                                        return ledger.cancel(
                                                                transaction, actor, run, now());
                                                    })
                                            .orElse(Cancellation.UNKNOWN);
                                });
        switch (cancellation) {
            case CANCELLED -> forget(found);
            case ASKED -> orRepair(() -> found.forEach(run -> queues.askToCancel(run.id())));
            case OVER, UNKNOWN -> {}
        }
        return cancellation;
    }

    @Override
    public Retry retry(Actor actor, JobId job) {
        List<RunStore.Pending> next = new ArrayList<>();
        Retry retry =
                parts.database()
                        .write(
                                transaction -> {
                                    next.clear();
                                    return ledger.lockNewest(transaction, actor.org(), job)
                                            .map(
                                                    run -> {
                                                        if (!run.status().isOver()) {
                                                            return new Retry.StillActive();
                                                        }
                                                        next.add(
                                                                ledger.retry(
                                                                        transaction,
                                                                        actor,
                                                                        run,
                                                                        now()));
                                                        return (Retry)
                                                                new Retry.Retried(
                                                                        next.getFirst().run().id());
                                                    })
                                            .orElse(new Retry.Unknown());
                                });
        put(next);
        return retry;
    }

    @Override
    public Swept sweep() {
        return inRedis(
                () -> {
                    reconciler.repairIfAsked();
                    List<Run> due =
                            parts.database().write(tx -> ledger.runs().wake(tx, now(), SWEPT));
                    enqueue(due.stream().map(Run::id).toList());
                    int lost = endExpired();
                    return new Swept(due.size(), lost, endOverdue());
                });
    }

    private int endExpired() {
        List<RunId> expired = queues.expire(now(), SWEPT);
        if (expired.isEmpty()) {
            return 0;
        }
        List<Run> seen = new ArrayList<>();
        List<RunStore.Pending> next = new ArrayList<>();
        List<Ledger.Ending> endings = new ArrayList<>();
        parts.database()
                .write(
                        transaction -> {
                            seen.clear();
                            next.clear();
                            endings.clear();
                            seen.addAll(ledger.runs().lock(transaction, expired).values());
                            seen.stream()
                                    .filter(run -> run.status() == RunStatus.RUNNING)
                                    .map(run -> Ledger.Ending.of(run, parts.rules().lost(run)))
                                    .forEach(endings::add);
                            return next.addAll(ledger.end(transaction, now(), endings));
                        });
        forget(seen);
        // Taken from the queue and never recorded: its hub died in between, and nobody was told.
        enqueue(
                seen.stream()
                        .filter(run -> run.status() == RunStatus.PENDING)
                        .map(Run::id)
                        .toList());
        put(next);
        return endings.size();
    }

    private int endOverdue() {
        List<Run> over = new ArrayList<>();
        List<RunStore.Pending> next = new ArrayList<>();
        parts.database()
                .write(
                        transaction -> {
                            over.clear();
                            next.clear();
                            over.addAll(ledger.runs().overdue(transaction, now(), SWEPT, true));
                            return next.addAll(
                                    ledger.end(
                                            transaction,
                                            now(),
                                            over.stream()
                                                    .map(
                                                            run ->
                                                                    Ledger.Ending.of(
                                                                            run,
                                                                            parts.rules()
                                                                                    .overdue(run)))
                                                    .toList()));
                        });
        forget(over);
        put(next);
        return over.size();
    }

    private void put(List<RunStore.Pending> pending) {
        List<RunId> due =
                pending.stream().filter(p -> p.due() == null).map(p -> p.run().id()).toList();
        orRepair(() -> enqueue(due));
    }

    private void enqueue(List<RunId> runs) {
        if (runs.isEmpty()) {
            return;
        }
        List<WaitingRuns.Waiting> waiting = new ArrayList<>();
        for (int from = 0; from < runs.size(); from += SWEPT) {
            List<RunId> part = runs.subList(from, Math.min(runs.size(), from + SWEPT));
            waiting.addAll(parts.database().read(s -> WaitingRuns.withIds(s, part)));
        }
        queues.enqueue(waiting);
        tell(waiting.stream().map(w -> w.assignment().host()).distinct().toList());
    }

    private void forget(List<Run> over) {
        orRepair(() -> queues.release(over));
        tell(over.stream().map(Run::host).distinct().toList());
    }

    private void tell(Collection<HostId> hosts) {
        hosts.forEach(host -> listeners.forEach(listener -> listener.accept(host)));
    }

    /** The ledger knows already, so the caller's answer stands; Redis is told later. */
    private void orRepair(Runnable step) {
        try {
            step.run();
        } catch (RedisException | RedisQueues.Empty e) {
            reconciler.ask();
        }
    }

    private static <T> T inRedis(Supplier<T> step) {
        try {
            return step.get();
        } catch (RedisException e) {
            throw new SkepException(
                    ErrorCode.QUEUE_UNREACHABLE,
                    "Redis does not answer; check QUEUE_URL and that it runs",
                    e);
        }
    }

    private Instant now() {
        return parts.clock().instant();
    }
}
