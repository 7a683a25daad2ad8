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
public final class RunStarts {
    private final RunStepStore steps;
    private final HandedOut handedOut;
    private final RunNews news;

    /** When runs are taken: as people read it, and as leases are counted. */
    public record Moment(Instant shown, Instant steady) {
        public static Moment now(QueueParts parts) {
            return new Moment(parts.clock().instant(), parts.steady().instant());
        }
    }

    RunStarts(RunStepStore steps, HandedOut handedOut, RunNews news) {
        this.steps = steps;
        this.handedOut = handedOut;
        this.news = news;
    }

    /** Starts runs that this transaction has found pending and keeps so. */
    public void startLocked(
            Transaction transaction, List<Taken> taken, Moment now, QueueSettings settings) {
        byTimeout(taken, now, settings)
                .forEach((start, runs) -> steps.start(transaction, runs, start));
        started(transaction, taken, now.shown());
    }

    /**
     * Starts those runs that are pending still, and returns them.
     *
     * @param looking whether to look at each; otherwise it is a {@link Surprise} if one is not
     */
    public Set<RunId> startPending(
            Transaction transaction,
            List<Taken> taken,
            Moment now,
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

    private void started(Transaction transaction, List<Taken> runs, Instant now) {
        runs.forEach(run -> handedOut.add(run.finished()));
        news.started(transaction, runs, now);
    }

    private static Map<RunStepStore.Start, Collection<RunId>> byTimeout(
            List<Taken> taken, Moment now, QueueSettings settings) {
        Map<Optional<Duration>, List<RunId>> alike = new HashMap<>();
        for (Taken each : taken) {
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
            Optional<Duration> timeout, Moment now, QueueSettings settings) {
        return new RunStepStore.Start(
                now.shown(),
                now.steady().plus(settings.lease()),
                timeout.map(t -> now.steady().plus(t).plus(settings.timeoutGrace())).orElse(null));
    }
}
