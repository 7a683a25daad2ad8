package dev.skep.dispatch.event;

import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The events of a hub: from rows where several processes share a database, else from memory. */
public final class HubEvents implements Component {
    private final Database database;
    private final EventNotes notes;
    private final EventPlaces places;
    private final EventRing ring;
    private final StoredEvents stored;
    private final EventLoop loop = new EventLoop(this::turn);
    private Database.@Nullable Listening elsewhere;

    public HubEvents(
            Database database, EventNotes notes, EventAudience audience, InstantSource clock) {
        this.database = database;
        this.notes = notes;
        this.places = new EventPlaces(database, notes.rows(), audience);
        this.ring = new EventRing(clock);
        this.stored = new StoredEvents(database, notes.rows());
    }

    /** Hears everything that happens in this process. */
    public void hear(FleetEvent event) {
        notes.hear(event);
        if (!isShared()) {
            ring.hear(event);
        }
    }

    public OrgEvents streams() {
        return isShared() ? stored : ring;
    }

    private boolean isShared() {
        return database.dialect() == SqlDialect.POSTGRES;
    }

    @Override
    public void start() {
        notes.onNoted(loop::wake);
        elsewhere = database.listen(StoredEvents.CHANNEL, told -> loop.wake(), loop::wake);
        loop.start();
    }

    private void turn() {
        notes.write(database);
        places.place();
        stored.read();
    }

    @Override
    public void close() {
        notes.onNoted(() -> {});
        loop.close();
        if (elsewhere != null) {
            elsewhere.close();
        }
    }
}
