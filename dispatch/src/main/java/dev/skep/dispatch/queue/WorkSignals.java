package dev.skep.dispatch.queue;

import dev.skep.kernel.id.HostId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets a caller that found nothing to claim wait until there may be something. A waiter registers
 * before it checks, so that a run that arrives between the check and the wait is not missed.
 * Thread-safe.
 */
public final class WorkSignals {
    private final ConcurrentMap<HostId, List<Waiter>> waiters = new ConcurrentHashMap<>();

    /** Wakes all who wait for this host. */
    public void signal(HostId host) {
        for (Waiter waiter : waiters.getOrDefault(host, List.of())) {
            waiter.signals.release();
        }
    }

    /** Wakes all waiters. */
    public void signalAll() {
        waiters.keySet().forEach(this::signal);
    }

    /**
     * Begins to wait for a host.
     *
     * @param worker which process of the host asks; a waiter of an earlier process is obsolete and
     *     is ended. Empty for hosts that do not send it
     */
    public Waiter startWaiting(HostId host, String worker) {
        Waiter waiter = new Waiter(host, worker);
        waiters.compute(
                host,
                (h, known) -> {
                    List<Waiter> all = known == null ? new CopyOnWriteArrayList<>() : known;
                    all.forEach(other -> other.makeWayFor(worker));
                    all.add(waiter);
                    return all;
                });
        return waiter;
    }

    /** A waiting call; closing it ends the wait. */
    public final class Waiter implements AutoCloseable {
        private final HostId host;
        private final String worker;
        private final Semaphore signals = new Semaphore(0);
        private volatile boolean superseded;

        private Waiter(HostId host, String worker) {
            this.host = host;
            this.worker = worker;
        }

        private void makeWayFor(String other) {
            if (!worker.isEmpty() && !other.isEmpty() && !worker.equals(other)) {
                superseded = true;
                signals.release();
            }
        }

        /** Whether another process of the host has come, and this one is gone. */
        public boolean isSuperseded() {
            return superseded;
        }

        /** Returns when signalled since enlisting or the last wait, or when the time is up. */
        public void await(Duration atMost) throws InterruptedException {
            if (signals.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                signals.drainPermits();
            }
        }

        @Override
        public void close() {
            waiters.computeIfPresent(
                    host,
                    (h, all) -> {
                        all.remove(this);
                        return all.isEmpty() ? null : all;
                    });
        }
    }
}
