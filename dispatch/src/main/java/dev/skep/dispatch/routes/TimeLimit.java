package dev.skep.dispatch.routes;

import dev.skep.kernel.job.JobKind;
import dev.skep.transport.route.JsonFields;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long a run of a new job may take. */
final class TimeLimit {
    private static final Duration LONGEST = Duration.ofDays(7);

    /** A task without a limit must not block its host for ever. */
    private static final Duration OF_A_TASK = Duration.ofHours(1);

    /** What belongs beside a payload; inside, it would be ignored. */
    private static final List<String> BESIDE_THE_PAYLOAD =
            List.of("timeoutSeconds", "maxAttempts", "priority", "runAt", "idempotencyKey");

    private TimeLimit() {}

    /** The job's limit, or the default of its type. */
    static @Nullable Duration of(String type, JsonFields job) {
        refuseMisplaced(type, job);
        if (job.optionalNumber("timeoutSeconds").isEmpty()) {
            return type.equals("agent.task") ? OF_A_TASK : null;
        }
        long seconds = job.number("timeoutSeconds");
        if (seconds < 1 || seconds > LONGEST.toSeconds()) {
            throw DispatchResponses.bad(
                    "field 'timeoutSeconds' must be from 1 to %d".formatted(LONGEST.toSeconds()));
        }
        return Duration.ofSeconds(seconds);
    }

    /** Types that only other programs know may have fields of any name. */
    private static void refuseMisplaced(String type, JsonFields job) {
        boolean isOurs =
                JobKind.of(type).isPresent()
                        || type.startsWith("agent.")
                        || type.startsWith("server.");
        if (!isOurs) {
            return;
        }
        job.object("payload")
                .ifPresent(
                        payload ->
                                BESIDE_THE_PAYLOAD.stream()
                                        .filter(payload::has)
                                        .findFirst()
                                        .ifPresent(
                                                name -> {
                                                    throw DispatchResponses.bad(
                                                            "payload.%1$s has no effect; write %1$s beside payload, not in it"
                                                                    .formatted(name));
                                                }));
    }
}
