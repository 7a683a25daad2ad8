package dev.skep.supervisor.view;

import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One message to one webhook, which the pages know by its name. */
public record DeliveryView(
        String id,
        String webhook,
        String topic,
        String state,
        int tries,
        @Nullable Integer lastStatus,
        @Nullable String lastError,
        Instant createdAt,
        @Nullable Instant doneAt)
        implements Keyed {
    static DeliveryView of(DeliveryStore.View delivery, String webhook) {
        return new DeliveryView(
                delivery.id(),
                webhook,
                delivery.topic(),
                delivery.state(),
                delivery.tries(),
                delivery.lastStatus(),
                delivery.lastError(),
                delivery.createdAt(),
                delivery.doneAt());
    }
}
