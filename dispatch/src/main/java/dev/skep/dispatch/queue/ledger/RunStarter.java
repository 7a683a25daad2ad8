package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Records that runs were taken, and remembers whose they are. */
public final class RunStarter {
    private final RunStepStore steps;
    private final RecentAssignments recentAssignments;
    private final RunEventPublisher runEventPublisher;

    /** When runs are taken: as people read it, and as leases are counted. */
    public record StartTime(Instant shown, Instant steady) {
        public static StartTime now(QueueDependencies queueDependencies) {
            return new StartTime(
                    queueDependencies.clock().instant(), queueDependencies.steady().instant());
        }
    }

    RunStarter(
            RunStepStore steps,
            RecentAssignments recentAssignments,
            RunEventPublisher runEventPublisher) {
        this.steps = steps;
        this.recentAssignments = recentAssignments;
        this.runEventPublisher = runEventPublisher;
    }

    /** Starts runs that this transaction has found pending and keeps so. */
    public void startLocked(
            Transaction transaction, List<TakenRun> taken, StartTime now, QueueSettings settings) {
        byTimeout(taken, now, settings)
                .forEach((start, runs) -> steps.start(transaction, runs, start));
        started(transaction, taken, now.shown());
    }

    /**
     * Starts those runs that are pending still, and returns them.
     *
     * @param looking whether to look at each; otherwise it is a {@link BatchMismatchException} if
     *     one is not
     */
    public Set<RunId> startPending(
            Transaction transaction,
            List<TakenRun> taken,
            StartTime now,
            QueueSettings settings,
            boolean looking) {
        Set<RunId> started = new HashSet<>();
        byTimeout(taken, now, settings)
                .forEach(
                        (start, runs) -> {
                            if (looking) {
                                started.addAll(steps.startPending(transaction, runs, start));
                            } else {
                                steps.startExpected(transaction, runs, start);
                                started.addAll(runs);
                            }
                        });
        started(
                transaction,
                taken.stream().filter(run -> started.contains(run.run())).toList(),
                now.shown());
        return started;
    }

    private void started(Transaction transaction, List<TakenRun> runs, Instant now) {
        runs.forEach(run -> recentAssignments.add(run.finished()));
        runEventPublisher.started(transaction, runs, now);
    }

    private static Map<RunStepStore.Start, Collection<RunId>> byTimeout(
            List<TakenRun> taken, StartTime now, QueueSettings settings) {
        Map<Optional<Duration>, List<RunId>> alike = new HashMap<>();
        for (TakenRun each : taken) {
            alike.computeIfAbsent(
                            Optional.ofNullable(each.assignment().timeout()),
                            t -> new ArrayList<>())
                    .add(each.run());
        }
        return alike.entrySet().stream()
                .collect(
                        Collectors.toMap(
                                of -> start(of.getKey(), now, settings), Map.Entry::getValue));
    }

    private static RunStepStore.Start start(
            Optional<Duration> timeout, StartTime now, QueueSettings settings) {
        return new RunStepStore.Start(
                now.shown(),
                now.steady().plus(settings.lease()),
                timeout.map(t -> now.steady().plus(t).plus(settings.timeoutGrace())).orElse(null));
    }
}
