package dev.skep.runner.loop;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a loop from outside. Anyone may call it; the loop reads it when it can. Stopping and
 * cancelling interrupt the loop only inside {@link #interruptibly}, so never in the middle of a
 * write. Thread-safe.
 */
public final class LoopControls {
    /** What the loop is to do at once. */
    private enum UrgentRequest {
        NOTHING,
        CANCEL_TURN,
        STOP
    }

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Said> talk = new ArrayDeque<>();
    private UrgentRequest urgent = UrgentRequest.NOTHING;
    private @Nullable String stopReason;
    private @Nullable String heldWhy;
    private boolean paused;
    private boolean mail = true; // whatever came while nobody looked
    private @Nullable Thread inside;

    public LoopControls(InstantSource clock) {
        this.clock = clock;
    }

    public void pause() {
        set(() -> paused = true);
    }

    /** Lets a paused or stuck agent go on. */
    public void resume() {
        set(() -> paused = false);
    }

    /**
     * From when this returns no work begins until {@link #release}; what is under way goes on. It
     * is apart from pausing: an agent that was paused stays so afterwards.
     */
    public void hold(String why) {
        set(() -> heldWhy = why);
    }

    public void release() {
        set(() -> heldWhy = null);
    }

    /** Why no work may begin; null if it may. */
    public @Nullable String heldWhy() {
        lock.lock();
        try {
            return heldWhy;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until work may begin. */
    public void awaitRelease() throws InterruptedException {
        await(null, () -> heldWhy == null);
    }

    /** Says something to the agent; it hears it with its next turn and is woken for it. */
    public void talk(String text) {
        say(new Said(text, false));
    }

    public void say(Said said) {
        set(() -> talk.add(said));
    }

    public void mailArrived() {
        set(() -> mail = true);
    }

    /** Gives up the model call or command under way and pauses. */
    public void cancel() {
        set(
                () -> {
                    paused = true;
                    interrupt(UrgentRequest.CANCEL_TURN);
                });
    }

    /** Ends the session for this reason; null leaves it open for the next start. */
    public void stop(@Nullable String reason) {
        set(
                () -> {
                    stopReason = reason;
                    interrupt(UrgentRequest.STOP);
                });
    }

    private void interrupt(UrgentRequest wish) {
        urgent = wish.compareTo(urgent) > 0 ? wish : urgent;
        if (inside != null) {
            inside.interrupt();
        }
    }

    public boolean isPaused() {
        return get(() -> paused);
    }

    public boolean isStopping() {
        return get(() -> urgent == UrgentRequest.STOP);
    }

    public @Nullable String stopReason() {
        return stopReason;
    }

    /** The turn's cancelling was dealt with. */
    public void cancelled() {
        set(() -> urgent = urgent == UrgentRequest.CANCEL_TURN ? UrgentRequest.NOTHING : urgent);
    }

    /**
     * Something that was said to the agent.
     *
     * @param task whether somebody waits for what comes of it, which ends the session
     */
    public record Said(String text, boolean task) {}

    /** Takes the texts of what was said since the last time. */
    List<String> takeMessages() {
        return takeSaid().stream().map(Said::text).toList();
    }

    /** Takes what was said since the last time. */
    public List<Said> takeSaid() {
        return get(
                () -> {
                    List<Said> said = new ArrayList<>(talk);
                    talk.clear();
                    return said;
                });
    }

    /** Whether the loop took all that was said; after its end, what it never will hear is left. */
    public boolean tookAllMessages() {
        return get(talk::isEmpty);
    }

    /** Whether mail may have come since the last time. */
    public boolean takeMail() {
        return get(
                () -> {
                    boolean came = mail;
                    mail = false;
                    return came;
                });
    }

    /** Whether mail came that the loop has not looked at. */
    public boolean hasUnseenMail() {
        return get(() -> mail);
    }

    /**
     * Waits for a word, for mail if asked to, or for a time; for ever if that is null. A wish to
     * pause or hold ends it too: who asks for that wants to see it.
     *
     * @return whether to go on; false to pause or hold
     */
    public boolean awaitInput(@Nullable Instant until, boolean forMail)
            throws InterruptedException {
        await(until, () -> isWantedStill() || !talk.isEmpty() || (forMail && mail));
        return !get(this::isWantedStill);
    }

    /** Waits for a time; answers false when it is to pause or hold instead. */
    public boolean awaitTime(Instant until) throws InterruptedException {
        await(until, this::isWantedStill);
        return !get(this::isWantedStill);
    }

    private boolean isWantedStill() {
        return paused || heldWhy != null;
    }

    /** Waits for a time whatever is wanted of the agent, unless it is to stop or cancel. */
    public void rest(Instant until) throws InterruptedException {
        await(until, () -> false);
    }

    /** Waits until nobody wants the agent held; a word to it lets it go on too. */
    public void awaitResume() throws InterruptedException {
        await(null, () -> !paused || !talk.isEmpty());
        set(() -> paused = false);
    }

    /**
     * Runs something that may take long; stopping and cancelling interrupt it. It begins when
     * nothing holds the agent.
     */
    public <T> T interruptibly(BlockingCall<T> work) throws InterruptedException {
        lock.lock();
        try {
            while (urgent == UrgentRequest.NOTHING && heldWhy != null) {
                changed.await();
            }
            if (urgent != UrgentRequest.NOTHING) {
                throw new InterruptedException();
            }
            inside = Thread.currentThread();
        } finally {
            lock.unlock();
        }
        try {
            return work.run();
        } finally {
            set(
                    () -> {
                        inside = null;
                        // An interrupt that came as the work ended is told by the wish alone.
                        Thread.interrupted();
                    });
        }
    }

    /** Something that waits. */
    @FunctionalInterface
    public interface BlockingCall<T> {
        T run() throws InterruptedException;
    }

    private void await(@Nullable Instant until, BooleanSupplier enough)
            throws InterruptedException {
        lock.lock();
        try {
            while (!enough.getAsBoolean()) {
                if (urgent != UrgentRequest.NOTHING) {
                    throw new InterruptedException();
                }
                if (until == null) {
                    changed.await();
                } else {
                    long left = Duration.between(clock.instant(), until).toNanos();
                    if (left <= 0) {
                        return;
                    }
                    long unused = changed.awaitNanos(left);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void set(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private <T> T get(Supplier<T> value) {
        lock.lock();
        try {
            return value.get();
        } finally {
            lock.unlock();
        }
    }
}
