package dev.skep.cli.command;

import dev.skep.dispatch.job.RunStatus;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Optional;

/** Texts about jobs and their runs for people. */
final class JobText {
    private JobText() {}

    /** The command line that words make, as they came after our own flags. */
    static String line(List<String> words) {
        List<String> own = words.getFirst().equals("--") ? words.subList(1, words.size()) : words;
        String first = own.isEmpty() ? "" : own.getFirst();
        if (first.isEmpty() || first.startsWith("-")) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "the command begins with \"%s\"; write flags before the host".formatted(first));
        }
        return String.join(" ", own);
    }

    /** What a job is to do, in one line. */
    static String task(JsonFields job) {
        JsonFields payload = job.object("payload").orElse(job);
        String subject =
                Optional.of(payload.shown("command"))
                        .filter(command -> !command.isEmpty())
                        .or(() -> Optional.of(payload.shown("agent")))
                        .filter(agent -> !agent.isEmpty())
                        .orElseGet(() -> payload.shown("name"));
        String task = payload.shown("task");
        return task.isEmpty() ? subject : subject + ": " + task;
    }

    /** How a run that is over went: "failed with exit status 3", "succeeded: alice is paused". */
    static String ending(JsonFields run) {
        Optional<JsonFields> result = run.object("result");
        String exit = result.map(r -> r.shown("exitStatus")).orElse("");
        String said =
                result.map(r -> r.has("error") ? r.shown("error") : r.shown("message")).orElse("");
        String how =
                switch (RunStatus.of(run.text("status"))) {
                    case PENDING -> "waits";
                    case RUNNING -> "runs";
                    case SUCCEEDED -> "succeeded";
                    case FAILED -> "failed";
                    case CANCELLED -> "was cancelled";
                    case TIMED_OUT -> "took longer than its timeout";
                    case LOST -> "was lost with its host";
                };
        if (!said.isEmpty()) {
            return how + ": " + said;
        }
        boolean isClear = exit.isEmpty() || exit.equals("0");
        return isClear ? how : how + " with exit status " + exit;
    }
}
