package dev.skep.runner.tools;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits for something that mail brings. Thread-safe. */
final class MailWait {
    private final EventBus events;

    MailWait(EventBus events) {
        this.events = events;
    }

    /** What was found in time; empty if nothing was, or if nobody wants it any more. */
    <T> Optional<T> until(ToolCall call, Supplier<Optional<T>> look) throws InterruptedException {
        return until(call, call.patience(), look);
    }

    private <T> Optional<T> until(ToolCall call, Duration limit, Supplier<Optional<T>> look)
            throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        EventBus.Subscription subscription = events.subscribe(event -> heard(call, event));
        try {
            while (!call.isGivenUp()) {
                Optional<T> found = look.get();
                long left = end - System.nanoTime();
                if (found.isPresent() || left <= 0) {
                    return found;
                }
                call.rest(left);
            }
            return Optional.empty();
        } finally {
            subscription.close();
        }
    }

    private static void heard(ToolCall call, FleetEvent event) {
        if (event instanceof FleetEvent.RowsStored rows
                && rows.tables().contains(AgentTables.MAIL_RECIPIENTS.name())) {
            call.wake();
        }
    }
}
