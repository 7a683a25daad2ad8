package dev.skep.cli.command;

import dev.skep.dispatch.job.RunStatus;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Shows what a job prints, run after run, until it is over. Who stops looking does not stop the
 * job.
 */
final class FollowedJob {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final CommandContext context;
    private final AdminFlags flags;
    private final ApiClient api;
    private final String job;
    private final Consumer<Answer> pieces;
    private int attempt;
    private long last = -1;

    /**
     * Nothing is shown yet.
     *
     * @param run the one to begin with
     * @param pieces takes what runs print
     */
    FollowedJob(
            CommandContext context,
            AdminFlags flags,
            ApiClient api,
            JsonFields run,
            Consumer<Answer> pieces) {
        this.context = context;
        this.flags = flags;
        this.api = api;
        this.job = run.text("jobId");
        this.attempt = (int) run.number("attempt");
        this.pieces = pieces;
    }

    /** The job as it ended. */
    Answer untilOver() {
        Thread interrupted = new Thread(this::sayItGoesOn, "goes-on");
        Runtime.getRuntime().addShutdownHook(interrupted);
        try {
            Duration pause = SHORTEST_PAUSE;
            while (true) {
                // Before its output: the output of a finished run is complete.
                Answer answer = api.get(flags.path("jobs", job));
                boolean progressed = showUpTo(answer.fields());
                if (isOver(answer.fields())) {
                    return answer;
                }
                sleep(pause);
                pause = progressed ? SHORTEST_PAUSE : longer(pause);
            }
        } finally {
            forget(interrupted);
        }
    }

    private boolean showUpTo(JsonFields now) {
        JsonFields newest = now.object("run").orElseThrow();
        boolean progressed = false;
        if (newest.number("attempt") != attempt) {
            List<JsonFields> runs = api.get(flags.path("jobs", job, "runs")).fields().list("runs");
            for (JsonFields run : runs) {
                if (run.number("attempt") >= attempt && !run.text("id").equals(newest.text("id"))) {
                    show(run);
                    say(
                            "attempt %d %s; attempt %d is next"
                                    .formatted(
                                            run.number("attempt"),
                                            JobText.ending(run),
                                            run.number("attempt") + 1));
                    last = -1;
                    progressed = true;
                }
            }
            attempt = (int) newest.number("attempt");
        }
        return show(newest) || progressed;
    }

    /** Shows what is new of a run; whether there was any. */
    boolean show(JsonFields run) {
        boolean any = false;
        while (true) {
            Answer answer =
                    api.get(
                            flags.path("jobs", job, "runs", run.text("id"), "output")
                                    + "?after="
                                    + last);
            List<JsonFields> chunks = answer.fields().list("chunks");
            if (chunks.isEmpty()) {
                return any;
            }
            any = true;
            last = chunks.getLast().number("n");
            pieces.accept(answer);
        }
    }

    private static boolean isOver(JsonFields now) {
        return RunStatus.of(now.text("status")).isOver();
    }

    private void sayItGoesOn() {
        say(
                "job %s is still running; 'skep jobs output -f %s' shows the rest, 'skep jobs cancel %s' ends it"
                        .formatted(job, job, job));
    }

    private void say(String line) {
        context.err().println("skep: " + line);
        context.err().flush();
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // the hook is running
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while a job runs on", e);
        }
    }
}
