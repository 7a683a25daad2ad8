package dev.skep.supervisor.view;

import dev.skep.dispatch.view.JobDetails;
import dev.skep.dispatch.view.RunDetails;
import dev.skep.kernel.id.Keyed;
import dev.skep.transport.route.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job with the state of its newest run.
 *
 * @param summary what it does or did, in a few words
 * @param problem why its newest run failed, in its host's words
 */
public record JobView(
        String id,
        String type,
        String host,
        @Nullable String server,
        String status,
        int attempt,
        int priority,
        Instant createdAt,
        String createdBy,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String summary,
        @Nullable String problem)
        implements Keyed {
    private static final int SUMMARY = 120;

    static JobView of(JobDetails job) {
        return new JobView(
                job.id(),
                job.type(),
                job.hostId(),
                job.serverInstanceId(),
                job.status(),
                job.run().attempt(),
                job.priority(),
                job.createdAt(),
                job.createdById(),
                job.run().startedAt(),
                job.run().finishedAt(),
                summary(job.payload()),
                problem(job.run().result()));
    }

    /** What people call the job: its command, its agent and task, or its server. */
    private static String summary(@Nullable Object payload) {
        var fields = Json.fields(text(payload));
        String words =
                fields.optionalText("command")
                        .or(
                                () ->
                                        fields.optionalText("agent")
                                                .map(
                                                        agent ->
                                                                agent
                                                                        + fields.optionalText(
                                                                                        "task")
                                                                                .map(t -> ": " + t)
                                                                                .orElse("")))
                        .or(() -> fields.optionalText("name"))
                        .orElse("");
        return words.length() <= SUMMARY ? words : words.substring(0, SUMMARY) + "…";
    }

    private static @Nullable String problem(@Nullable Object result) {
        return result == null ? null : Json.fields(text(result)).optionalText("error").orElse(null);
    }

    private static String text(@Nullable Object json) {
        return json == null ? "{}" : Json.text(json);
    }

    /** How a job is to be done; what is null is not limited. */
    public record Terms(int maxAttempts, @Nullable Long timeoutSeconds, @Nullable Instant runAt) {}

    /** A job with its payload and its runs, the newest first. */
    public record Detail(JobView job, Terms terms, String payload, List<RunView> runs) {
        static Detail of(JobDetails job, List<RunDetails> runs) {
            return new Detail(
                    JobView.of(job),
                    new Terms(job.maxAttempts(), job.timeoutSeconds(), job.runAt()),
                    text(job.payload()),
                    runs.reversed().stream().map(RunView::of).toList());
        }
    }
}
