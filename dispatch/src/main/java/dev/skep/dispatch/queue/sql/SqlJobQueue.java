package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.batch.GroupedCalls;
import dev.skep.dispatch.batch.GroupedCalls.Pace;
import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.HostUsage;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.Verdict;
import dev.skep.dispatch.queue.Cancellation;
import dev.skep.dispatch.queue.Claim;
import dev.skep.dispatch.queue.Creation;
import dev.skep.dispatch.queue.Holding;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.Renewal;
import dev.skep.dispatch.queue.Report;
import dev.skep.dispatch.queue.Retry;
import dev.skep.dispatch.queue.Settlement;
import dev.skep.dispatch.queue.Undelivered;
import dev.skep.dispatch.queue.ledger.Hearing;
import dev.skep.dispatch.queue.ledger.HostHoldings;
import dev.skep.dispatch.queue.ledger.HostReport;
import dev.skep.dispatch.queue.ledger.Ledger;
import dev.skep.dispatch.queue.ledger.QueueParts;
import dev.skep.dispatch.queue.ledger.RunEndings;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** A queue in the database itself. Claims and reports that wait together share a commit. */
public final class SqlJobQueue implements JobQueue {
    private static final int GROUP = 256;
    private static final int SWEPT = 500;

    private final QueueParts parts;
    private final Ledger ledger;
    private final SlotStore slots = new SlotStore();
    private final WorkNotices notices;
    private final GroupedCalls<Principal.Host, Claim> claims;
    private final GroupedCalls<HostReport, Settlement> reports;
    private final GroupedCalls<HostHoldings, List<Renewal>> renewals;

    public SqlJobQueue(QueueParts parts) {
        this.parts = parts;
        this.ledger = parts.ledger();
        this.notices = new WorkNotices(parts.database());
        SqlClaims sqlClaims =
                new SqlClaims(parts.database(), ledger, slots, parts.settings(), parts.clock());
        this.claims = new GroupedCalls<>("job-claims", GROUP, Pace.PLAIN, sqlClaims::claim);
        this.reports = new GroupedCalls<>("job-reports", GROUP, Pace.PLAIN, this::settleAll);
        this.renewals = new GroupedCalls<>("job-renewals", GROUP, Pace.PLAIN, this::renewAll);
    }

    @Override
    public void start() {
        notices.start();
        claims.start();
        reports.start();
        renewals.start();
    }

    @Override
    public void close() {
        claims.close();
        reports.close();
        renewals.close();
        notices.close();
    }

    @Override
    public void onWork(Consumer<HostId> listener) {
        notices.listen(listener);
    }

    @Override
    public List<Creation> create(Actor actor, List<NewJob> jobs) {
        return parts.database()
                .write(
                        transaction -> {
                            Ledger.Stored stored = ledger.create(transaction, actor, now(), jobs);
                            notices.tell(transaction, hostsOf(stored.pending()));
                            return stored.creations();
                        });
    }

    @Override
    public Claim claim(Principal.Host host) {
        return claims.call(host, claim -> Undelivered.giveBack(this, host, claim));
    }

    @Override
    public void giveBack(Principal.Host host, Holding undelivered) {
        parts.database()
                .write(
                        transaction -> {
                            Map<HostId, SlotStore.Slots> held =
                                    slots.lock(transaction, List.of(host.id()));
                            List<RunEndings.Ending> endings =
                                    ledger
                                            .lockHeld(transaction, host, undelivered)
                                            .map(
                                                    run ->
                                                            RunEndings.Ending.of(
                                                                    run,
                                                                    parts.rules().undelivered(run)))
                                            .stream()
                                            .toList();
                            end(transaction, held, endings);
                            return endings.size();
                        });
    }

    @Override
    public List<Renewal> renew(Principal.Host host, List<Holding> held) {
        return held.isEmpty() ? List.of() : renewals.call(new HostHoldings(host, held));
    }

    private List<List<Renewal>> renewAll(List<HostHoldings> all) {
        Instant leaseUntil = now().plus(parts.settings().lease());
        return parts.database()
                .write(
                        transaction ->
                                all.stream()
                                        .map(one -> renew(transaction, one, leaseUntil))
                                        .toList());
    }

    private List<Renewal> renew(
            Transaction transaction, HostHoldings holdings, Instant leaseUntil) {
        Map<RunId, Renewal> renewed = ledger.runs().renew(transaction, holdings, leaseUntil);
        return holdings.held().stream()
                .map(held -> renewed.getOrDefault(held.run(), Renewal.GONE))
                .toList();
    }

    @Override
    public Settlement settle(Principal.Host host, Report report) {
        return reports.call(new HostReport(host, report));
    }

    private List<Settlement> settleAll(List<HostReport> said) {
        return parts.database()
                .write(
                        transaction -> {
                            Map<HostId, SlotStore.Slots> held =
                                    slots.lock(
                                            transaction,
                                            said.stream().map(s -> s.host().id()).toList());
                            Hearing hearing =
                                    ledger.endings().hear(transaction, parts.rules(), said, now());
                            free(transaction, held, hearing.ended());
                            notices.tell(transaction, hostsOf(hearing.next()));
                            return hearing.settlements();
                        });
    }

    @Override
    public Cancellation cancel(Actor actor, JobId job) {
        return parts.database()
                .write(
                        transaction ->
                                ledger.lockNewest(transaction, actor.org(), job)
                                        .map(run -> ledger.cancel(transaction, actor, run, now()))
                                        .orElse(Cancellation.UNKNOWN));
    }

    @Override
    public Retry retry(Actor actor, JobId job) {
        return parts.database()
                .write(
                        transaction ->
                                ledger.lockNewest(transaction, actor.org(), job)
                                        .map(run -> retry(transaction, actor, run))
                                        .orElse(new Retry.Unknown()));
    }

    private Retry retry(Transaction transaction, Actor actor, Run run) {
        if (!run.status().isOver()) {
            return new Retry.StillActive();
        }
        RunStore.Pending next = ledger.retry(transaction, actor, run, now());
        notices.tell(transaction, List.of(run.host()));
        return new Retry.Retried(next.run().id());
    }

    @Override
    public Swept sweep() {
        return new Swept(
                wake(),
                endEach(ledger.runs()::unrenewed, parts.rules()::lost),
                endEach(ledger.runs()::overdue, parts.rules()::overdue));
    }

    private int wake() {
        return parts.database()
                .write(
                        transaction -> {
                            List<Run> due = ledger.runs().wake(transaction, now(), SWEPT);
                            notices.tell(
                                    transaction, due.stream().map(Run::host).distinct().toList());
                            return due.size();
                        });
    }

    /** Looks for runs to end. */
    private interface Search {
        List<Run> find(Transaction transaction, Instant now, int limit, boolean lock);
    }

    private int endEach(Search search, Function<Run, Verdict.Ends> verdict) {
        Instant now = now();
        return parts.database()
                .write(
                        transaction -> {
                            List<Run> seen = search.find(transaction, now, SWEPT, false);
                            Map<HostId, SlotStore.Slots> held =
                                    slots.lock(transaction, seen.stream().map(Run::host).toList());
                            if (held.isEmpty()) {
                                return 0;
                            }
                            // Again under the locks: a beat or a report may have come meanwhile.
                            List<RunEndings.Ending> endings =
                                    search.find(transaction, now, SWEPT, true).stream()
                                            .filter(run -> held.containsKey(run.host()))
                                            .map(
                                                    run ->
                                                            RunEndings.Ending.of(
                                                                    run, verdict.apply(run)))
                                            .toList();
                            end(transaction, held, endings);
                            return endings.size();
                        });
    }

    /** Ends running runs and frees what they held. */
    private void end(
            Transaction transaction,
            Map<HostId, SlotStore.Slots> held,
            List<RunEndings.Ending> endings) {
        List<RunStore.Pending> next = ledger.endings().end(transaction, now(), endings);
        free(transaction, held, endings.stream().map(e -> FinishedRun.of(e.run())).toList());
        notices.tell(transaction, hostsOf(next));
    }

    private void free(
            Transaction transaction, Map<HostId, SlotStore.Slots> held, List<FinishedRun> ended) {
        Map<HostId, HostUsage> changed = new LinkedHashMap<>();
        for (FinishedRun run : ended) {
            SlotStore.Slots of = held.get(run.host());
            if (of != null) {
                changed.put(run.host(), changed.getOrDefault(run.host(), of.usage()).freed(1));
            }
        }
        slots.write(transaction, changed);
        notices.tellHere(transaction, changed.keySet());
    }

    private static Collection<HostId> hostsOf(List<RunStore.Pending> pending) {
        return pending.stream()
                .filter(p -> p.due() == null)
                .map(p -> p.run().host())
                .distinct()
                .toList();
    }

    private Instant now() {
        return parts.clock().instant();
    }
}
