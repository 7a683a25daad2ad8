package dev.skep.runner.tools;

import dev.skep.agents.AgentTables;
import dev.skep.store.Database;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Waits for something that mail brings. Thread-safe. */
final class MailWait {
    private final Database database;

    MailWait(Database database) {
        this.database = database;
    }

    /** What was found in time; empty if nothing was, or if nobody wants it any more. */
    <T> Optional<T> until(ToolCall call, Supplier<Optional<T>> look) throws InterruptedException {
        return until(call, call.patience(), look);
    }

    private <T> Optional<T> until(ToolCall call, Duration limit, Supplier<Optional<T>> look)
            throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        try (Database.Listening _ = database.onWritten(tables -> onWritten(call, tables))) {
            while (!call.isGivenUp()) {
                Optional<T> found = look.get();
                long left = end - System.nanoTime();
                if (found.isPresent() || left <= 0) {
                    return found;
                }
                call.rest(left);
            }
            return Optional.empty();
        }
    }

    private static void onWritten(ToolCall call, Set<String> tables) {
        if (tables.isEmpty() || tables.contains(AgentTables.MAIL_RECIPIENTS.name())) {
            call.wake();
        }
    }
}
