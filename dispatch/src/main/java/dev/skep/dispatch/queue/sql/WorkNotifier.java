package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Wakes hosts that wait for work: in this process after the commit, and through PostgreSQL's
 * notifications in every other process on the same database.
 */
final class WorkNotifier implements Component {
    private static final String CHANNEL = "skep_work";

    private final Database database;
    private final QueueHeadCache queueHeadCache;
    private final List<Consumer<HostId>> listeners = new CopyOnWriteArrayList<>();
    private Database.@Nullable Listening others;

    WorkNotifier(Database database, QueueHeadCache queueHeadCache) {
        this.database = database;
        this.queueHeadCache = queueHeadCache;
    }

    @Override
    public void start() {
        others = database.listen(CHANNEL, host -> onNotification(new HostId(host)));
    }

    void listen(Consumer<HostId> listener) {
        listeners.add(listener);
    }

    /** These runs can be claimed now. */
    void notifyReady(Transaction transaction, List<Run> ready) {
        if (ready.isEmpty()) {
            return;
        }
        List<HostId> hosts = ready.stream().map(Run::host).distinct().toList();
        if (transaction.dialect() == SqlDialect.POSTGRES) {
            for (HostId host : hosts) {
                transaction.first("SELECT pg_notify(?, ?)", row -> true, CHANNEL, host.value());
            }
            transaction.afterCommit(() -> ready.forEach(queueHeadCache::runBecameReady));
        }
        notifyThisProcess(transaction, hosts);
    }

    /** The same of runs that wait, if they are due. */
    void notifyPending(Transaction transaction, List<RunStore.Pending> pending) {
        notifyReady(
                transaction,
                pending.stream().filter(p -> p.due() == null).map(RunStore.Pending::run).toList());
    }

    /** These hosts may have more; only the process that talks to them needs to know. */
    void notifyThisProcess(Transaction transaction, Collection<HostId> hosts) {
        if (!hosts.isEmpty()) {
            List<HostId> notified = List.copyOf(hosts);
            transaction.afterCommit(() -> notified.forEach(this::onNotification));
        }
    }

    private void onNotification(HostId host) {
        listeners.forEach(listener -> listener.accept(host));
    }

    @Override
    public void close() {
        if (others != null) {
            others.close();
        }
    }
}
