package dev.skep.cli.command;

import dev.skep.kernel.error.ExitStatus;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.util.LinkedHashMap;
import java.util.Map;

/** One job with all attempts at it. */
final class JobPrinter {
    private final CommandContext context;
    private final AdminFlags flags;
    private final ApiClient api;

    JobPrinter(CommandContext context, AdminFlags flags, ApiClient api) {
        this.context = context;
        this.flags = flags;
        this.api = api;
    }

    int show(String id) {
        Answer answer = api.get(flags.path("jobs", id));
        if (flags.json()) {
            return AdminFlags.raw(context, answer);
        }
        JsonFields job = answer.fields();
        String host = job.shown("hostId");
        String name = new FleetLookup(api, flags).hosts().getOrDefault(host, host);
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("id", job.shown("id"));
        lines.put("status", job.shown("status").replace('_', ' '));
        lines.put("host", name.equals(host) ? host : name + " (" + host + ")");
        lines.put("type", job.shown("type"));
        lines.put("task", JobText.task(job));
        lines.put("priority", job.shown("priority"));
        lines.put("attempts", "at most " + job.shown("maxAttempts"));
        lines.put("timeout", job.optionalNumber("timeoutSeconds").map(s -> s + " s").orElse(""));
        lines.put("not before", RunnerCall.time(job, "runAt"));
        lines.put("created", RunnerCall.time(job, "createdAt") + " by " + job.shown("createdById"));
        flags.lines(context, lines);
        context.out().println();
        TextTable runs = new TextTable("ATTEMPT", "STARTED", "FINISHED", "IT");
        for (JsonFields run : api.get(flags.path("jobs", id, "runs")).fields().list("runs")) {
            runs.row(
                    run.shown("attempt"),
                    RunnerCall.time(run, "startedAt"),
                    RunnerCall.time(run, "finishedAt"),
                    JobText.ending(run));
        }
        runs.print(context.out());
        return ExitStatus.OK.status();
    }
}
