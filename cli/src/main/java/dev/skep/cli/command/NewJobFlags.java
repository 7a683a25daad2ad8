package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Option;

/** When a job runs and how often it is tried. */
final class NewJobFlags {

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description =
                    "End a run that takes longer: seconds, or 90s, 15m, 2h (default: never; agent.task: 1h).")
    private String timeout = "";

    @Option(
            names = "--attempts",
            paramLabel = "N",
            description = "Try again after failures, up to N runs in all (default: 1).")
    private int attempts = 1;

    @Option(
            names = "--priority",
            paramLabel = "N",
            description = "Higher goes first, from -1000 to 1000 (default: 0).")
    private int priority;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Not before this time, such as 2026-11-15T08:00:00Z (default: now).")
    private String at = "";

    /** The job as the hub wants it, still without its target. */
    Map<String, Object> job(String type, Object payload) {
        Map<String, Object> job = new HashMap<>();
        job.put("type", type);
        job.put("payload", payload);
        job.put("maxAttempts", attempts);
        job.put("priority", priority);
        if (!timeout.isEmpty()) {
            job.put("timeoutSeconds", TimeText.seconds("--timeout", timeout));
        }
        if (!at.isEmpty()) {
            job.put("runAt", instant(at));
        }
        return job;
    }

    /** A payload as it was typed, once it is known to be one. */
    static Object payload(String json) {
        try {
            Json.fields(json);
        } catch (SkepException e) {
            throw wrong("--payload is not a JSON object; write one like '{\"agent\": \"alice\"}'");
        }
        return Objects.requireNonNull(Json.raw(json));
    }

    private static String instant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant().toString();
        } catch (DateTimeParseException e) {
            throw wrong("--at is \"%s\"; write a time like 2026-11-15T08:00:00Z".formatted(text));
        }
    }

    private static SkepException wrong(String message) {
        return new SkepException(ErrorCode.BAD_REQUEST, message);
    }
}
