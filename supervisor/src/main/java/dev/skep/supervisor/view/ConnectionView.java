package dev.skep.supervisor.view;

import dev.skep.registry.table.NodeListStore.VisitRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A node connected or disconnected. */
public record ConnectionView(String id, String event, Instant at, @Nullable String address) {
    /** The pages say "address" where the API says "peer". */
    public static ConnectionView of(VisitRow visit) {
        return new ConnectionView(visit.id(), visit.event(), visit.at(), visit.peer());
    }
}
