package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.dispatch.queue.ledger.WaitingRuns;
import dev.skep.kernel.id.HostId;
import dev.skep.store.Database;
import io.lettuce.core.RedisException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Writes to Redis what the ledger has decided, and wakes waiting hosts. The ledger is already
 * committed, so its callers' answers stand whatever happens here; what did not arrive is repaired.
 * Thread-safe.
 */
final class RedisPublisher {
    private static final int PAGE = 500;

    private final Database database;
    private final RedisQueues queues;
    private final RedisReconciler reconciler;
    private final List<Consumer<HostId>> listeners = new CopyOnWriteArrayList<>();

    RedisPublisher(Database database, RedisQueues queues, RedisReconciler reconciler) {
        this.database = database;
        this.queues = queues;
        this.reconciler = reconciler;
    }

    void listen(Consumer<HostId> listener) {
        listeners.add(listener);
    }

    /** These runs wait; those that are not due yet wait in the ledger only. */
    void put(List<RunStore.Pending> pending) {
        putDue(pending.stream().filter(p -> p.due() == null).map(p -> p.run().id()).toList());
    }

    /** These runs wait and are due. */
    void putDue(List<RunId> runs) {
        if (!runs.isEmpty()) {
            orRepair(() -> enqueue(runs));
        }
    }

    private void enqueue(List<RunId> runs) {
        List<WaitingRuns.Waiting> waiting = new ArrayList<>();
        for (int from = 0; from < runs.size(); from += PAGE) {
            List<RunId> part = runs.subList(from, Math.min(runs.size(), from + PAGE));
            waiting.addAll(database.read(s -> WaitingRuns.withIds(s, part)));
        }
        queues.enqueue(waiting);
        wake(waiting.stream().map(w -> w.assignment().host()).distinct().toList());
    }

    /** The runs of these slots are over; who claims after this finds them free. */
    void release(Collection<RunSlot> slots) {
        if (slots.isEmpty()) {
            return;
        }
        List<HostId> hosts = slots.stream().map(RunSlot::host).distinct().toList();
        orRepair(
                () ->
                        queues.release(slots)
                                .whenComplete(
                                        (done, failure) -> {
                                            if (failure == null) {
                                                wake(hosts);
                                            } else {
                                                reconciler.ask();
                                            }
                                        }));
        wake(hosts);
    }

    /** Something did not reach Redis, or it lost what it had. */
    void repairLater() {
        reconciler.ask();
    }

    /** This run waited and is over. */
    void withdraw(Run run) {
        orRepair(() -> queues.withdraw(run));
    }

    /** These hosts may have something to claim. */
    void wake(Collection<HostId> hosts) {
        hosts.forEach(host -> listeners.forEach(listener -> listener.accept(host)));
    }

    private void orRepair(Runnable step) {
        try {
            step.run();
        } catch (RedisException | RedisQueues.EmptyRedisException e) {
            reconciler.ask();
        }
    }
}
