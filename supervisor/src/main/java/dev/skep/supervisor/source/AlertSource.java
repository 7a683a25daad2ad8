package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Alerts and what became of telling people. */
public interface AlertSource {
    /** The newest alerts before an id, newest first; open ones only, or all. */
    List<AlertView> newest(
            Principal principal, boolean openOnly, Optional<String> before, int limit);

    /** One message to one webhook. */
    record Delivery(
            String id,
            String webhook,
            String topic,
            String state,
            int tries,
            @Nullable Integer lastStatus,
            @Nullable String lastError,
            Instant createdAt,
            @Nullable Instant doneAt)
            implements Keyed {}

    /** The newest deliveries, newest first. */
    List<Delivery> deliveries(Principal principal, int limit);
}
