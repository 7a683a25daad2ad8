package dev.skep.runner.api;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.row.Timestamps;
import dev.skep.runner.ActionResult;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Response;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Outcomes and times as JSON. */
final class RunnerResponses {
    private RunnerResponses() {}

    static Response of(ActionResult actionResult) {
        return switch (actionResult) {
            case ActionResult.Done(var message) -> Response.json(new ActionDone(message));
            case ActionResult.Refused(var why) -> throw new SkepException(ErrorCode.CONFLICT, why);
        };
    }

    /** Something that may take long. */
    @FunctionalInterface
    interface Slow {
        Response answer() throws InterruptedException;
    }

    static Response interruptibly(Slow slow) {
        try {
            return slow.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CONFLICT, "the runner is closing", e);
        }
    }

    /** Describes an operation whose answer is {@link #of}. */
    static Operation action(String summary) {
        return Operation.of(summary).answers(ActionDone.class);
    }

    static @Nullable String time(@Nullable Instant instant) {
        return instant == null ? null : Timestamps.format(instant);
    }
}
