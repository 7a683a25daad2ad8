package dev.skep.dispatch.event;

import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Publishes events: to this process after the commit and, as rows of that very commit, to listeners
 * at other processes and to webhooks. On PostgreSQL there may always be such listeners; a SQLite
 * file has one process, so its commits carry event rows only while a webhook subscribes to events.
 * Thread-safe.
 */
public final class EventPublisher {
    private static final int IN_A_ROW = 256;
    private static final int WAITING = 10_000;

    private final EventBus eventBus;
    private final UlidSource ids;
    private final EventRowStore rows;
    private final BlockingQueue<FleetEvent> received = new ArrayBlockingQueue<>(WAITING);

    /** What was received and is not written yet; guarded by itself. */
    private final List<FleetEvent> unwritten = new ArrayList<>();

    private volatile boolean wanted;
    private volatile Runnable noted = () -> {};

    public EventPublisher(EventBus eventBus, UlidSource ids, InstantSource clock) {
        this.eventBus = eventBus;
        this.ids = ids;
        this.rows = new EventRowStore(clock);
    }

    EventRowStore rows() {
        return rows;
    }

    /** Runs after each commit that has rows; must not block. */
    void onNoted(Runnable listener) {
        noted = listener;
    }

    /** Whether webhooks want events; a server's commits have them in any case. */
    public void setWanted(boolean wanted) {
        this.wanted = wanted;
    }

    /** To be called by the transaction that makes it so; the order is that of the list. */
    public void publish(Transaction transaction, List<? extends FleetEvent> happened) {
        if (happened.isEmpty()) {
            return;
        }
        if (isKeptBy(transaction.dialect())) {
            note(transaction, happened);
        }
        transaction.afterCommit(() -> happened.forEach(eventBus::publish));
    }

    private boolean isKeptBy(SqlDialect dialect) {
        return dialect == SqlDialect.POSTGRES || wanted;
    }

    private void note(Transaction transaction, List<? extends FleetEvent> happened) {
        List<EventDraft> alike = new ArrayList<>();
        for (FleetEvent event : happened) {
            EventDraft eventDraft = EventDraft.of(event).orElse(null);
            if (eventDraft == null) {
                continue;
            }
            if (!alike.isEmpty()
                    && (alike.size() == IN_A_ROW || !eventDraft.isLike(alike.getFirst()))) {
                rows.note(transaction, ids.next(), alike);
                alike.clear();
            }
            alike.add(eventDraft);
        }
        if (!alike.isEmpty()) {
            rows.note(transaction, ids.next(), alike);
            transaction.afterCommit(noted);
        }
    }

    /**
     * Receives the events of this process that do not come through {@link #publish}: hosts that
     * joined or were revoked. Their rows are written soon after; a process that dies in between
     * loses them, so a client that must be sure reads the list of hosts.
     */
    public void onEvent(FleetEvent event) {
        switch (event) {
            case FleetEvent.HostEnrolled _, FleetEvent.HostRevoked _ -> {
                if (received.offer(event)) {
                    noted.run();
                }
            }
            case FleetEvent.RowsReceived _,
                    FleetEvent.JobCreated _,
                    FleetEvent.JobRunStarted _,
                    FleetEvent.JobRunDone _,
                    FleetEvent.HostStatusChanged _ -> {}
        }
    }

    /** Writes what was received, in order; what could not be written waits for the next time. */
    void write(Database database) {
        synchronized (unwritten) {
            received.drainTo(unwritten, WAITING - unwritten.size());
            if (!unwritten.isEmpty() && isKeptBy(database.dialect())) {
                database.write(
                        transaction -> {
                            note(transaction, unwritten);
                            return unwritten.size();
                        });
            }
            unwritten.clear();
        }
    }
}
