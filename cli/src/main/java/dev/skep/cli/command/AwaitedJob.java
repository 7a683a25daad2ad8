package dev.skep.cli.command;

import dev.skep.dispatch.job.RunStatus;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.util.function.Consumer;

/** A job whose caller waits for it. */
final class AwaitedJob {
    private final CommandContext context;
    private final AdminFlags flags;
    private final ApiClient api;

    AwaitedJob(CommandContext context, AdminFlags flags, ApiClient api) {
        this.context = context;
        this.flags = flags;
        this.api = api;
    }

    /** The job as it ended; prints a line if it has to wait for its host to return. */
    Answer ended(JsonFields host, Answer created, Consumer<Answer> pieces) {
        boolean away =
                !host.shown("status").equals("online") && !host.shown("status").equals("degraded");
        if (away) {
            context.err()
                    .println(
                            "skep: %s is %s; the job waits for it"
                                    .formatted(host.shown("name"), host.shown("status")));
        }
        JsonFields run = created.fields().object("run").orElseThrow();
        return new FollowedJob(context, flags, api, run, pieces).untilOver();
    }

    /** One that did not do what it was to is an error. */
    static void requireSuccess(Answer ended) {
        JsonFields job = ended.fields();
        if (!job.text("status").equals(RunStatus.SUCCEEDED.label())) {
            throw new SkepException(
                    ErrorCode.JOB_FAILED,
                    "job %s %s"
                            .formatted(
                                    job.text("id"),
                                    JobText.ending(job.object("run").orElseThrow())));
        }
    }
}
