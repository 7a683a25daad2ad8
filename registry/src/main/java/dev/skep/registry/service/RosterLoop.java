package dev.skep.registry.service;

import dev.skep.kernel.batch.Batch;
import dev.skep.kernel.batch.Batcher;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.registry.node.NodeChange;
import dev.skep.registry.node.RemoteNodes;
import dev.skep.registry.node.Roster;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The one thread that owns the roster: applies, stores, then answers and announces. */
final class RosterLoop implements Component {
    /** Closing does what was handed in before, however long that takes. */
    private static final Batcher.Limits LIMITS =
            new Batcher.Limits(10_000, 256, ChronoUnit.FOREVER.getDuration());

    /** The roster as a step sees it. */
    record View(Roster roster, RemoteNodes others, Instant now) {}

    /** Something to be done with the roster. */
    @FunctionalInterface
    interface Step<T> {
        Outcome<T> on(View view);
    }

    /**
     * What a step did.
     *
     * @param stored changes to be stored, then announced
     * @param announced changes to be announced only: other hosts own their rows
     * @param then done once all before it was announced
     */
    record Outcome<T>(T value, List<NodeChange> stored, List<NodeChange> announced, Runnable then) {
        static <T> Outcome<T> changed(T value, List<NodeChange> stored) {
            return new Outcome<>(value, stored, List.of(), () -> {});
        }

        static <T> Outcome<T> read(T value) {
            return changed(value, List.of());
        }
    }

    private final class Waiting<T> {
        private final Step<T> step;
        private final boolean evenIfNotStored;
        private final CompletableFuture<T> done = new CompletableFuture<>();
        private @Nullable Outcome<T> outcome;

        Waiting(Step<T> step, boolean evenIfNotStored) {
            this.step = step;
            this.evenIfNotStored = evenIfNotStored;
        }

        void apply(Instant now) {
            outcome = null;
            long begun = System.nanoTime();
            try {
                outcome = step.on(new View(roster, others, now));
            } catch (RuntimeException failure) {
                if (failure instanceof SkepException why && StorageMonitor.isAboutThePlace(why)) {
                    rosterWriter.storageMonitor().failed(why, begun);
                }
                done.completeExceptionally(failure);
            }
        }

        List<NodeChange> stored() {
            return outcome == null ? List.of() : outcome.stored();
        }

        boolean isAboutOthers() {
            return outcome != null && !outcome.announced().isEmpty();
        }

        void finish() {
            if (outcome != null) {
                outcome.stored().forEach(changeBroadcaster::announce);
                outcome.announced().forEach(changeBroadcaster::announce);
                outcome.then().run();
                done.complete(outcome.value());
            }
        }
    }

    private final Roster roster;
    private final RemoteNodes others = new RemoteNodes();
    private final RosterWriter rosterWriter;
    private final ChangeBroadcaster changeBroadcaster;
    private final InstantSource clock;
    private final Batcher<Waiting<?>> batcher =
            new Batcher<>("registry-roster", LIMITS, this::serve, this::refuse);
    private final Waiting<Boolean> beginning;
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();

    /**
     * Does nothing before it is started.
     *
     * @param first the step that all others wait for; if it fails, none of them is done
     */
    RosterLoop(
            Roster roster,
            RosterWriter rosterWriter,
            ChangeBroadcaster changeBroadcaster,
            InstantSource clock,
            Step<Boolean> first) {
        this.roster = roster;
        this.rosterWriter = rosterWriter;
        this.changeBroadcaster = changeBroadcaster;
        this.clock = clock;
        this.beginning = new Waiting<>(first, true);
        // No other step can be queued yet.
        boolean _ = batcher.offer(beginning);
    }

    @Override
    public void start() {
        batcher.start();
    }

    /** Waits until the first step has done what it does, stored or not; throws why it could not. */
    void awaitBegun() {
        try {
            boolean _ = Batcher.outcome(begun);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw closedError();
        }
    }

    /** Whether there is nothing to be asked: the first step failed. */
    boolean isFailed() {
        return begun.isCompletedExceptionally();
    }

    /** Whether what happens is stored now, or only kept until it can be. */
    boolean isStoring() {
        return rosterWriter.storageMonitor().isStoring();
    }

    /** Does a step and waits for it; throws if its changes cannot be stored. */
    <T> T ask(Step<T> step) {
        return await(new Waiting<>(step, false));
    }

    /** Does a step that is true whether it can be stored or not, and waits for it. */
    <T> T state(Step<T> step) {
        return await(new Waiting<>(step, true));
    }

    /** As {@link #state}, without waiting for the outcome; nothing once the loop is closed. */
    <T> void submit(Step<T> step) {
        try {
            batcher.put(new Waiting<>(step, true));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As {@link #submit}, but never waits; false if too much is waiting or the loop is closed. */
    <T> boolean offer(Step<T> step) {
        return batcher.offer(new Waiting<>(step, true));
    }

    private <T> T await(Waiting<T> waiting) {
        return batcher.call(waiting, waiting.done);
    }

    private static SkepException closedError() {
        return new SkepException(ErrorCode.CLOSED, "the registry is closed");
    }

    private void serve(Batch<Waiting<?>> batch) {
        List<Waiting<?>> taken = batch.all();
        if (taken.contains(beginning)) {
            begin();
            taken = taken.stream().filter(waiting -> waiting != beginning).toList();
        }
        if (isFailed()) {
            taken.forEach(this::refuse);
        } else if (!taken.isEmpty()) {
            processBatch(taken);
        }
    }

    private void begin() {
        Instant now = clock.instant();
        beginning.apply(now);
        if (beginning.done.isCompletedExceptionally()) {
            begun.completeExceptionally(beginning.done.exceptionNow());
            return;
        }
        begun.complete(true);
        if (store(beginning.stored(), now) != null) {
            rosterWriter.owe(beginning.stored());
        }
        beginning.finish();
    }

    /** Fails a step that will never run, with the reason. */
    private void refuse(Waiting<?> waiting) {
        Throwable why = isFailed() ? begun.exceptionNow() : closedError();
        waiting.done.completeExceptionally(why);
        if (waiting == beginning) {
            begun.completeExceptionally(why);
        }
    }

    private void processBatch(List<Waiting<?>> taken) {
        Instant now = clock.instant();
        List<NodeChange> changes = new ArrayList<>();
        roster.mark();
        for (Waiting<?> waiting : taken) {
            waiting.apply(now);
            changes.addAll(waiting.stored());
        }
        if (store(changes, now) == null || changes.isEmpty()) {
            taken.forEach(Waiting::finish);
            return;
        }
        roster.backToMark();
        taken.forEach(waiting -> doAlone(waiting, now));
    }

    private void doAlone(Waiting<?> waiting, Instant now) {
        if (waiting.done.isDone()) {
            return;
        }
        if (waiting.isAboutOthers()) {
            // Their nodes are not part of what was undone.
            waiting.finish();
            return;
        }
        roster.mark();
        waiting.apply(now);
        SkepException failure = waiting.stored().isEmpty() ? null : store(waiting.stored(), now);
        if (failure == null) {
            waiting.finish();
        } else if (waiting.evenIfNotStored) {
            rosterWriter.owe(waiting.stored());
            waiting.finish();
        } else {
            roster.backToMark();
            waiting.done.completeExceptionally(failure);
        }
    }

    private @Nullable SkepException store(List<NodeChange> changes, Instant now) {
        if (changes.isEmpty() && rosterWriter.owesNothing()) {
            return null;
        }
        SkepException known = rosterWriter.storageMonitor().whyNotTried();
        if (known != null) {
            return known;
        }
        long begun = System.nanoTime();
        try {
            rosterWriter.write(changes, now);
            return null;
        } catch (SkepException failure) {
            rosterWriter.storageMonitor().failed(failure, begun);
            return failure;
        }
    }

    /** Does what was handed in before, then ends. */
    @Override
    public void close() {
        batcher.close();
    }
}
