package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Database;
import dev.skep.store.Dialect;
import dev.skep.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells who waits for work that there is some: in this process after the commit, and through
 * PostgreSQL's notifications in every other process on the same database.
 */
final class WorkNotices implements Component {
    private static final String CHANNEL = "skep_work";

    private final Database database;
    private final List<Consumer<HostId>> listeners = new CopyOnWriteArrayList<>();
    private Database.@Nullable Listening others;

    WorkNotices(Database database) {
        this.database = database;
    }

    @Override
    public void start() {
        others = database.listen(CHANNEL, host -> hear(new HostId(host)));
    }

    void listen(Consumer<HostId> listener) {
        listeners.add(listener);
    }

    /** There is something new for these hosts. */
    void tell(Transaction transaction, Collection<HostId> hosts) {
        if (transaction.dialect() == Dialect.POSTGRES) {
            for (HostId host : hosts) {
                transaction.first("SELECT pg_notify(?, ?)", row -> true, CHANNEL, host.value());
            }
        }
        tellHere(transaction, hosts);
    }

    /** The same for the hosts of runs that wait, if they are due. */
    void tellPending(Transaction transaction, List<RunStore.Pending> pending) {
        tell(
                transaction,
                pending.stream()
                        .filter(p -> p.due() == null)
                        .map(p -> p.run().host())
                        .distinct()
                        .toList());
    }

    /** These hosts may have more; only the process that talks to them needs to know. */
    void tellHere(Transaction transaction, Collection<HostId> hosts) {
        if (!hosts.isEmpty()) {
            List<HostId> told = List.copyOf(hosts);
            transaction.afterCommit(() -> told.forEach(this::hear));
        }
    }

    private void hear(HostId host) {
        listeners.forEach(listener -> listener.accept(host));
    }

    @Override
    public void close() {
        if (others != null) {
            others.close();
        }
    }
}
