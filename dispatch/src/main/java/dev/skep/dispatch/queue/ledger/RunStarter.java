package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.dispatch.setting.OrgSettings;
import dev.skep.dispatch.setting.OrgSettingsStore;
import dev.skep.kernel.id.OrgId;
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
        byTime(transaction, taken, now, settings)
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
        byTime(transaction, taken, now, settings)
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

    /** How long a run may take, and how long it belongs to its host without a heartbeat. */
    private record Times(Optional<Duration> timeout, Duration lease) {
        RunStepStore.Start start(StartTime now, QueueSettings settings) {
            return new RunStepStore.Start(
                    now.shown(),
                    now.steady().plus(lease),
                    timeout.map(t -> now.steady().plus(t).plus(settings.timeoutGrace()))
                            .orElse(null));
        }
    }

    private static Map<RunStepStore.Start, Collection<RunId>> byTime(
            Transaction transaction, List<TakenRun> taken, StartTime now, QueueSettings settings) {
        if (taken.isEmpty()) {
            return Map.of();
        }
        Map<OrgId, OrgSettings> orgs = OrgSettingsStore.all(transaction);
        Map<Times, List<RunId>> alike = new HashMap<>();
        for (TakenRun each : taken) {
            OrgSettings org = orgs.getOrDefault(each.org(), OrgSettings.NONE);
            Times times =
                    new Times(
                            Optional.ofNullable(each.assignment().timeout()),
                            org.jobLease(settings.lease()));
            alike.computeIfAbsent(times, t -> new ArrayList<>()).add(each.run());
        }
        return alike.entrySet().stream()
                .collect(
                        Collectors.toMap(
                                of -> of.getKey().start(now, settings), Map.Entry::getValue));
    }
}
