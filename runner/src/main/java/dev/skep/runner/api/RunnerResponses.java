package dev.skep.runner.api;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.row.Timestamps;
import dev.skep.runner.ActionResult;
import dev.skep.transport.route.Response;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Outcomes and times as JSON. */
final class RunnerResponses {
    private RunnerResponses() {}

    static Response of(ActionResult actionResult) {
        return switch (actionResult) {
            case ActionResult.Done(var message) -> Response.json(Map.of("message", message));
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

    /** A list under its name, so that more fields can be added beside it. */
    static Response list(String name, List<?> values) {
        return Response.json(Map.of(name, values));
    }

    static @Nullable String time(@Nullable Instant instant) {
        return instant == null ? null : Timestamps.format(instant);
    }
}
