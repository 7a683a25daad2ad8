package dev.skep.cli.command;

import dev.skep.agents.AgentRuntime;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.util.List;

/** Prints the agents that a runner knows, and what is wrong with their files. */
final class AgentPrinter {
    private final CommandContext context;
    private final RunnerCall own;

    AgentPrinter(CommandContext context, RunnerCall own) {
        this.context = context;
        this.own = own;
    }

    int list() {
        return own.list(
                context,
                "/api/runner/agents",
                "agents",
                new TextTable(
                        "AGENT", "STATUS", "HOST", "RUNTIME", "LEAD", "LEFT", "TITLE", "NOTE"),
                agent ->
                        new Object[] {
                            agent.shown("username"),
                            agent.shown("kind").equals("operator")
                                    ? "a person"
                                    : agent.shown("status").replace('_', ' '),
                            agent.shown("host"),
                            runtime(agent),
                            agent.shown("lead"),
                            RunnerCall.dollars(agent, "budgetLeft"),
                            agent.shown("title"),
                            agent.shown("note")
                        });
    }

    /** Nothing for our own loop. */
    private static String runtime(JsonFields agent) {
        String name = agent.shown("runtime");
        if (name.isEmpty() || name.equals(AgentRuntime.OWN_LOOP.name())) {
            return "";
        }
        return agent.flag("metered") ? name : name + ", not metered";
    }

    int check() {
        return own.with(
                context,
                api -> {
                    Answer answer = api.get("/api/runner/problems");
                    List<JsonFields> problems = answer.fields().list("problems");
                    if (own.json()) {
                        context.out().println(RunnerCall.text(answer));
                    } else if (problems.isEmpty()) {
                        context.out().println("all agents' files can be read");
                    } else {
                        problems.forEach(problem -> context.out().println(line(problem)));
                    }
                    return problems.isEmpty()
                            ? ExitStatus.OK.status()
                            : ExitStatus.FAILURE.status();
                });
    }

    /** As compilers write it, so that editors find the place. */
    private static String line(JsonFields problem) {
        return "agents/%s:%s:%s: %s: %s"
                .formatted(
                        problem.shown("file"),
                        problem.shown("line"),
                        problem.shown("column"),
                        problem.shown("key"),
                        problem.shown("message"));
    }
}
