package dev.skep.dispatch.event;

import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The events of a hub: from rows where several processes share a database, else from memory. */
public final class HubEvents implements Component {
    /** In case a notification was lost. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** A busy queue commits far more often than listeners need to know. */
    private static final Duration BREATH = Duration.ofMillis(50);

    private final Database database;
    private final EventPublisher eventPublisher;
    private final EventSequencer eventSequencer;
    private final EventBuffer eventBuffer;
    private final StoredEvents stored;
    private final PeriodicTask worker =
            new PeriodicTask("events", LOOK_EVERY, this::turn).withLastRound();
    private Database.@Nullable Listening elsewhere;

    public HubEvents(
            Database database,
            EventPublisher eventPublisher,
            EventRecipients eventRecipients,
            InstantSource clock) {
        this.database = database;
        this.eventPublisher = eventPublisher;
        this.eventSequencer = new EventSequencer(database, eventPublisher.rows(), eventRecipients);
        this.eventBuffer = new EventBuffer(clock);
        this.stored = new StoredEvents(database, eventPublisher.rows());
    }

    /** Receives everything that happens in this process. */
    public void onEvent(FleetEvent event) {
        eventPublisher.onEvent(event);
        if (!isShared()) {
            eventBuffer.onEvent(event);
        }
    }

    public OrgEvents streams() {
        return isShared() ? stored : eventBuffer;
    }

    private boolean isShared() {
        return database.dialect() == SqlDialect.POSTGRES;
    }

    @Override
    public void start() {
        eventPublisher.onNoted(worker::wake);
        elsewhere = database.listen(StoredEvents.CHANNEL, _ -> worker.wake(), worker::wake);
        worker.start();
    }

    private void turn() throws InterruptedException {
        try {
            eventPublisher.write(database);
            eventSequencer.place();
            stored.read();
        } finally {
            Thread.sleep(BREATH);
        }
    }

    @Override
    public void close() {
        eventPublisher.onNoted(() -> {});
        worker.close();
        if (elsewhere != null) {
            elsewhere.close();
        }
    }
}
