package dev.skep.registry.service;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.registry.node.NodeChange;
import dev.skep.registry.node.RemoteNodes;
import dev.skep.registry.node.Roster;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that owns the roster: applies, stores, then answers and announces. */
final class RosterLoop {
    private static final Logger LOG = LoggerFactory.getLogger(RosterLoop.class);
    private static final int QUEUE = 10_000;
    private static final int TOGETHER = 256;

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
    private final BlockingQueue<Waiting<?>> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Waiting<Boolean> stop = new Waiting<>(view -> Outcome.read(true), true);
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile boolean ended;
    private @Nullable Thread thread;

    RosterLoop(
            Roster roster,
            RosterWriter rosterWriter,
            ChangeBroadcaster changeBroadcaster,
            InstantSource clock) {
        this.roster = roster;
        this.rosterWriter = rosterWriter;
        this.changeBroadcaster = changeBroadcaster;
        this.clock = clock;
    }

    /** Starts with a step that everything else waits for; if it fails, nothing else is done. */
    void start(Step<Boolean> first) {
        Waiting<Boolean> beginning = new Waiting<>(first, true);
        thread = Thread.ofVirtual().name("registry-roster").start(() -> run(beginning));
    }

    /** Waits until the first step has done what it does, stored or not; throws why it could not. */
    void awaitBegun() {
        await(begun);
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
    <T> void tell(Step<T> step) {
        submit(new Waiting<>(step, true));
    }

    /** As {@link #tell}, but never waits; false if too much is waiting or the loop is closed. */
    <T> boolean offer(Step<T> step) {
        return !closed && queue.offer(new Waiting<>(step, true));
    }

    private boolean submit(Waiting<?> waiting) {
        try {
            if (!closed) {
                queue.put(waiting);
                if (ended) {
                    refuseWaiting();
                }
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private <T> T await(Waiting<T> waiting) {
        if (!submit(waiting)) {
            throw isFailed() ? failure(begun.exceptionNow()) : closedError();
        }
        return await(waiting.done);
    }

    private static <T> T await(CompletableFuture<T> done) {
        try {
            return done.get();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw closedError();
        }
    }

    private static RuntimeException failure(@Nullable Throwable cause) {
        return cause instanceof RuntimeException failure
                ? failure
                : new IllegalStateException(cause);
    }

    private static SkepException closedError() {
        return new SkepException(ErrorCode.CLOSED, "the registry is closed");
    }

    private void run(Waiting<Boolean> beginning) {
        try {
            if (begin(beginning)) {
                serve();
            }
        } catch (InterruptedException e) {
            LOG.warn("the registry's thread was interrupted");
        } finally {
            closed = true;
            ended = true;
            begun.completeExceptionally(closedError());
            refuseWaiting();
        }
    }

    private boolean begin(Waiting<Boolean> beginning) {
        Instant now = clock.instant();
        beginning.apply(now);
        if (beginning.done.isCompletedExceptionally()) {
            begun.completeExceptionally(beginning.done.exceptionNow());
            return false;
        }
        begun.complete(true);
        if (store(beginning.stored(), now) != null) {
            rosterWriter.owe(beginning.stored());
        }
        beginning.finish();
        return true;
    }

    private void serve() throws InterruptedException {
        List<Waiting<?>> taken = new ArrayList<>();
        boolean last = false;
        while (!last) {
            taken.add(queue.take());
            queue.drainTo(taken, TOGETHER - 1);
            last = taken.remove(stop);
            processBatch(taken);
            taken.clear();
        }
    }

    /** What still waits is told that there is nobody to do it, and why there never was. */
    private void refuseWaiting() {
        Throwable why = isFailed() ? begun.exceptionNow() : closedError();
        List<Waiting<?>> left = new ArrayList<>();
        queue.drainTo(left);
        left.forEach(waiting -> waiting.done.completeExceptionally(why));
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
    void close() {
        if (thread == null) {
            return;
        }
        try {
            if (!closed) {
                closed = true;
                queue.put(stop);
            }
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
