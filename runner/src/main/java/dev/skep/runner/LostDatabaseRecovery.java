package dev.skep.runner;

import dev.skep.directory.host.AwaitedHubs;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.runner.loop.AgentListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the hubs of a host whose database was lost give its agents back before it makes new ones of
 * the same names, or one whose heal was cut off give the rest before its agents start. It waits for
 * a while; what a hub gives back later is joined to what was made. Any other host begins at once.
 */
final class LostDatabaseRecovery implements AutoCloseable {
    /** How to wait no longer. */
    static final String SKIP = "--wait-for-agents 0";

    private static final Logger LOG = LoggerFactory.getLogger(LostDatabaseRecovery.class);

    /** A hub that keeps giving back rows may take this many times as long as a silent one. */
    private static final int LONGEST = 10;

    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final AwaitedHubs hubs;
    private final LocalHost host;
    private final EventBus eventBus;
    private final AgentListener agentListener;
    private final Duration silence;
    private final RecoveryActions recoveryActions;
    private final Semaphore progress = new Semaphore(0);
    private EventBus.@Nullable Subscription subscription;
    private volatile @Nullable Thread thread;
    private volatile boolean begun;
    private volatile boolean answered;

    /**
     * What is done.
     *
     * @param isComplete whether every agent's file has its row again
     * @param isUnsettled whether agents that were made meanwhile have not been compared with what
     *     came back: a process may have ended in between
     * @param begin starts the agents
     * @param reunite joins those that were made meanwhile to those that came back
     */
    record RecoveryActions(
            BooleanSupplier isComplete,
            BooleanSupplier isUnsettled,
            Runnable begin,
            Runnable reunite) {}

    LostDatabaseRecovery(
            LocalHost host,
            EventBus eventBus,
            AgentListener agentListener,
            Duration silence,
            RecoveryActions recoveryActions) {
        this.host = host;
        this.hubs = host.awaited();
        this.eventBus = eventBus;
        this.agentListener = agentListener;
        this.silence = silence;
        this.recoveryActions = recoveryActions;
    }

    /** What this host waits for, in words; empty once its agents have begun. */
    Optional<String> waitsFor() {
        return begun ? Optional.empty() : Optional.of(words());
    }

    private String words() {
        return "the database of this host is new, or older than what its hubs know: for at most %d s it waits for %s to give its agents back; %s skips that"
                .formatted(silence.toSeconds(), names(), SKIP);
    }

    private String names() {
        return hubs.awaited().stream()
                .map(JoinedHub::url)
                .sorted()
                .collect(Collectors.joining(" and "));
    }

    void start() {
        answered = recoveryActions.isUnsettled().getAsBoolean();
        if (hubs.awaited().isEmpty() && !hubs.isAnyLeft() && !answered) {
            begin();
            return;
        }
        subscription = eventBus.subscribe(this::onEvent);
        host.keys().onHubs(progress::release);
        if (hubs.awaited().isEmpty() || silence.isZero()) {
            stopWaiting();
            reunite();
            begin();
        } else {
            LOG.warn("agents wait: {}", words());
            agentListener.told(words());
        }
        thread = Thread.ofVirtual().name("homecoming").start(this::run);
    }

    /** A hub that was awaited has given back what it had. */
    void answered() {
        answered = true;
        progress.release();
        Thread waiting = thread;
        if (begun && (waiting == null || !waiting.isAlive())) {
            Thread.ofVirtual().name("reunion").start(recoveryActions.reunite());
        }
    }

    /** Rows of this host come back, page by page. */
    private void onEvent(FleetEvent event) {
        if (!begun
                && event instanceof FleetEvent.RowsReceived rows
                && rows.owner().equals(host.id())) {
            progress.release();
        }
    }

    private void run() {
        try {
            if (!begun) {
                await();
                answered = true;
                reunite();
                begin();
            }
            while (answered || hubs.isAnyLeft()) {
                // What could not be joined is tried again, whether or not another hub answers.
                boolean unused =
                        answered
                                ? progress.tryAcquire(AGAIN.toMillis(), TimeUnit.MILLISECONDS)
                                : progress.tryAcquire(1, TimeUnit.DAYS);
                progress.drainPermits();
                reunite();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /** Joins what has come back since the last time; a failure keeps no agent from starting. */
    private void reunite() {
        if (!answered) {
            return;
        }
        answered = false;
        try {
            recoveryActions.reunite().run();
        } catch (RuntimeException e) {
            LOG.warn("agents that came back are not joined yet: {}", e.getMessage());
            answered = true;
        }
    }

    private void await() throws InterruptedException {
        long start = System.nanoTime();
        long last = start + silence.multipliedBy(LONGEST).toNanos();
        long end = start + silence.toNanos();
        while (!hubs.awaited().isEmpty()) {
            if (answered && recoveryActions.isComplete().getAsBoolean()) {
                LOG.info("agents are back, not all hubs have answered");
                hubs.giveUp();
                return;
            }
            long left = Math.min(end, last) - System.nanoTime();
            if (left <= 0) {
                stopWaiting();
                return;
            }
            if (progress.tryAcquire(left, TimeUnit.NANOSECONDS)) {
                progress.drainPermits();
                end = System.nanoTime() + silence.toNanos();
            }
        }
        LOG.info("agents are back");
    }

    private void stopWaiting() {
        if (!hubs.awaited().isEmpty()) {
            String line =
                    "no answer from %s: agents begin anew, and become one with what it gives back later"
                            .formatted(names());
            LOG.warn(line);
            agentListener.told(line);
            hubs.giveUp();
        }
    }

    private void begin() {
        begun = true;
        recoveryActions.begin().run();
    }

    @Override
    public void close() {
        if (subscription != null) {
            subscription.close();
        }
        Thread waiting = thread;
        if (waiting != null) {
            waiting.interrupt();
        }
    }
}
