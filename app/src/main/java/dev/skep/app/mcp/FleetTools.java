package dev.skep.app.mcp;

import static dev.skep.transport.mcp.ToolArgument.agent;
import static dev.skep.transport.mcp.ToolArgument.choice;
import static dev.skep.transport.mcp.ToolArgument.host;
import static dev.skep.transport.mcp.ToolArgument.number;
import static dev.skep.transport.mcp.ToolArgument.object;
import static dev.skep.transport.mcp.ToolArgument.text;
import static dev.skep.transport.mcp.ToolArgument.texts;

import dev.skep.kernel.job.JobKind;
import dev.skep.transport.mcp.ToolArgument;
import dev.skep.transport.mcp.ToolDescription.Effect;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All tools; a process offers those whose routes it has. */
final class FleetTools {
    static final String WAIT = "wait_seconds";

    private static final String CURSOR = "cursor";
    private static final String AGENT = "The agent: its name, name@host, or id.";
    private static final String ITS_AGENT = "Only of this agent: its name, name@host, or id.";
    private static final String ITS_HOST = "Only of this host: its name or id.";

    private static final ToolArgument JOB = text("job", "The job's id.");
    private static final ToolArgument APPROVAL = text("approval", "The approval's full id.");
    private static final ToolArgument LIMIT =
            number("limit", 1, 200, "At most this many.").optional();
    private static final ToolArgument PAGE =
            text(CURSOR, "Goes on where a page ended: what its next said.").optional();

    /** All of them, with those of each part of the product together. */
    static final List<McpTool> ALL =
            Stream.of(hosts(), agents(), approvals(), jobs(), records(), mail(), AgentFileTools.ALL)
                    .flatMap(List::stream)
                    .toList();

    private FleetTools() {}

    private static List<McpTool> hosts() {
        return List.of(
                McpTool.reads(
                                "list_hosts",
                                "Machines of the fleet: online or not, load, limits, what each allows.",
                                "/hosts",
                                choice(
                                                "status",
                                                List.of("online", "offline", "degraded", "unknown"),
                                                "Only these.")
                                        .optional(),
                                text("label", "Only with this label, as env:prod.").optional(),
                                text("q", "Only with this in the name or id.").optional(),
                                LIMIT,
                                PAGE)
                        .sending(CURSOR, "after"),
                McpTool.reads(
                        "get_host",
                        "One machine with its servers, latest runs and connections.",
                        "/hosts/{host}",
                        host("host", "The host: its name or id.")),
                McpTool.reads(
                                "list_nodes",
                                "Live agent processes that registered on some host.",
                                "/view/nodes",
                                LIMIT,
                                PAGE)
                        .sending(CURSOR, "after"),
                McpTool.reads(
                                "list_servers",
                                "Managed server processes, each of one host.",
                                "/servers",
                                host("host", ITS_HOST).optional(),
                                LIMIT,
                                PAGE)
                        .sending(CURSOR, "after"));
    }

    private static List<McpTool> agents() {
        return List.of(
                McpTool.reads(
                                "list_agents",
                                "AI agents on all hosts: what each is doing, its budget.",
                                "/view/agents",
                                LIMIT,
                                PAGE)
                        .sending(CURSOR, "after"),
                McpTool.reads(
                        "get_agent",
                        "One agent with its configuration as its host reported it.",
                        "/view/agents/{agent}",
                        agent(AGENT)),
                McpTool.acts(
                        "control_agent",
                        "Starts, stops, pauses or resumes an agent, or says something to it.",
                        Effect.CHANGES,
                        HttpMethod.POST,
                        "/agents/{agent}/{action}",
                        agent(AGENT),
                        choice(
                                "action",
                                List.of("start", "stop", "pause", "resume", "talk"),
                                "What to do."),
                        text("text", "What to say, with talk.").optional()),
                McpTool.acts(
                        "control_agents",
                        "Does the same to many agents: those named, or all that fit a filter. The answer has each refusal by name.",
                        Effect.CHANGES,
                        HttpMethod.POST,
                        "/agents/actions",
                        choice(
                                "action",
                                List.of("start", "stop", "pause", "resume", "talk"),
                                "What to do."),
                        texts("agents", "Their names, name@host, or ids.").optional(),
                        object(
                                        "filter",
                                        "Instead of agents: host, status and text, each optional; {} means all.")
                                .optional(),
                        text("text", "What to say, with talk.").optional()),
                McpTool.reads(
                        "show_hold",
                        "Whether all agents of the org are stopped, by whom, and how far each host is.",
                        "/hold"),
                McpTool.acts(
                        "stop_all_agents",
                        "Has all agents of the org stand still at once, on hosts that are away when they are back. For emergencies.",
                        Effect.CHANGES,
                        HttpMethod.POST,
                        "/hold",
                        text("reason", "Why, for people.").optional()),
                McpTool.acts(
                        "let_all_agents_go",
                        "Undoes stop_all_agents: each agent goes back to what it was.",
                        Effect.CHANGES,
                        HttpMethod.DELETE,
                        "/hold"));
    }

    private static List<McpTool> approvals() {
        return List.of(
                McpTool.reads(
                                "list_approvals",
                                "Commands and tool calls of agents that wait for a person's yes or no, and those decided lately.",
                                "/view/approvals",
                                LIMIT,
                                PAGE)
                        .sending(CURSOR, "after"),
                McpTool.reads(
                        "get_approval",
                        "One of them, with the change that it asks for.",
                        "/view/approvals/{approval}",
                        APPROVAL),
                McpTool.acts(
                                "decide_approval",
                                "Approves or denies one. A person is asked before a yes is given.",
                                Effect.CHANGES,
                                HttpMethod.POST,
                                "/approvals/{approval}",
                                APPROVAL,
                                choice(
                                        "decision",
                                        List.of("approve", "always", "deny"),
                                        "approve holds once, always also for later ones."),
                                text("reason", "Why not, for the agent; with deny.").optional())
                        .after(FleetTools::approving));
    }

    /** A no is safe; a yes is a person's, who sees what it is for. */
    private static Optional<String> approving(
            Map<String, String> given, Function<String, JsonFields> get) {
        String decision = given.getOrDefault("decision", "");
        if (decision.equals("deny")) {
            return Optional.empty();
        }
        String id = RouteCaller.segment(given.getOrDefault("approval", ""));
        JsonFields card = get.apply("/view/approvals/" + id);
        if (!card.shown("decision").equals("pending")) {
            return Optional.empty();
        }
        return Optional.of(
                "Shall the agent %s be allowed to do this%s?\n\n%s"
                        .formatted(
                                card.shown("agentName"),
                                decision.equals("always") ? ", now and every time" : " once",
                                card.shown("command")));
    }

    private static List<McpTool> jobs() {
        return List.of(
                McpTool.reads(
                                "list_jobs",
                                "Jobs, newest first.",
                                "/jobs",
                                text("status", "pending, running, succeeded, failed, …").optional(),
                                host("host", ITS_HOST).optional(),
                                text("type", "Only of this type.").optional(),
                                LIMIT,
                                PAGE)
                        .sending(CURSOR, "before"),
                McpTool.acts(
                        "create_job",
                        "Asks a host, or the host of a server, to do something; follow it with get_job.",
                        Effect.CHANGES,
                        HttpMethod.POST,
                        "/jobs",
                        text(
                                "type",
                                "What to do: "
                                        + Arrays.stream(JobKind.values())
                                                .map(JobKind::type)
                                                .collect(Collectors.joining(", "))
                                        + "."),
                        host("hostId", "The host: its name or id.").optional(),
                        text("serverInstanceId", "Or a server, by its id.").optional(),
                        object(
                                        "payload",
                                        "What the type needs: command for shell; agent, its name, for agent.…; also task for agent.task.")
                                .optional(),
                        number(
                                        "timeoutSeconds",
                                        1,
                                        604_800,
                                        "Ends the run after this long; agent.task: an hour by default.")
                                .optional(),
                        number("maxAttempts", 1, 100, "Tried this often.").optional(),
                        text("idempotencyKey", "The same key makes one job.").optional()),
                McpTool.reads(
                                "get_job",
                                "A job, its newest run and what that printed. Can wait for the job's end.",
                                "/jobs/{job}",
                                JOB,
                                number(WAIT, 0, 60, "Wait so long for the job to be over.")
                                        .optional())
                        .waiting(),
                McpTool.acts(
                        "cancel_job",
                        "Stops a job that waits or runs.",
                        Effect.CHANGES,
                        HttpMethod.POST,
                        "/jobs/{job}/cancel",
                        JOB),
                McpTool.acts(
                        "retry_job",
                        "Runs a job that is over once more; follow it with get_job.",
                        Effect.CHANGES,
                        HttpMethod.POST,
                        "/jobs/{job}/retry",
                        JOB));
    }

    private static List<McpTool> records() {
        return List.of(
                McpTool.reads(
                                "list_sessions",
                                "Sessions of agents, newest first: model, cost, how they ended.",
                                "/view/history/sessions",
                                agent(ITS_AGENT).optional(),
                                host("host", ITS_HOST).optional(),
                                choice("state", List.of("running"), "Only running ones.")
                                        .optional(),
                                LIMIT,
                                PAGE)
                        .sending(CURSOR, "before"),
                McpTool.reads(
                                "read_log",
                                "What an agent said and did, in the order it was written; the newest lines first asked for.",
                                "/view/history/log",
                                agent(AGENT),
                                text("run", "Only of this run, as list_sessions has it.")
                                        .optional(),
                                text("session", "Only of this session of the run, a number.")
                                        .optional(),
                                text("type", "Only lines of this type, such as text or error.")
                                        .optional(),
                                text("q", "Only with these words.").optional(),
                                LIMIT,
                                text(CURSOR, "Earlier lines: what before said.").optional())
                        .sending(CURSOR, "before"),
                McpTool.reads(
                        "read_costs",
                        "Money spent by day or hour, added up by agent, host or model, in micro-dollars.",
                        "/view/history/costs",
                        choice("by", List.of("agent", "host", "model"), "What to add up by.")
                                .optional(),
                        choice("unit", List.of("day", "hour"), "How long a step is.").optional(),
                        number("count", 1, 400, "So many days or hours back.").optional(),
                        agent(ITS_AGENT).optional(),
                        host("host", ITS_HOST).optional(),
                        text("model", "Only of this model.").optional()),
                McpTool.reads(
                        "list_budgets",
                        "Budgets of this hub in micro-dollars: what is spent, held by hosts and free, and when each is reached.",
                        "/budgets"),
                McpTool.reads(
                                "list_alerts",
                                "What is wrong, or was, newest first.",
                                "/alerts",
                                LIMIT,
                                PAGE)
                        .sending(CURSOR, "before"));
    }

    private static List<McpTool> mail() {
        return List.of(
                McpTool.reads(
                                "read_mail",
                                "Mail between agents and people, newest first. Marks nothing as read.",
                                "/view/history/mail",
                                agent(ITS_AGENT).optional(),
                                text("q", "Only with these words.").optional(),
                                choice("state", List.of("unread"), "Only unread.").optional(),
                                LIMIT,
                                PAGE)
                        .sending(CURSOR, "before"),
                McpTool.acts(
                        "send_mail",
                        "Writes to agents, in the name of the operator whose key this is.",
                        Effect.ADDS,
                        HttpMethod.POST,
                        "/mail",
                        text("to", "Names, separated by commas: alice, bob@host-2."),
                        text("subject", "In a few words."),
                        text("body", "What to tell them."),
                        text("replyTo", "The id of the mail this answers.").optional()));
    }
}
