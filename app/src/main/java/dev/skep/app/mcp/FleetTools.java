package dev.skep.app.mcp;

import static dev.skep.transport.mcp.ToolArgument.agent;
import static dev.skep.transport.mcp.ToolArgument.choice;
import static dev.skep.transport.mcp.ToolArgument.number;
import static dev.skep.transport.mcp.ToolArgument.object;
import static dev.skep.transport.mcp.ToolArgument.text;
import static dev.skep.transport.mcp.ToolArgument.texts;

import dev.skep.kernel.job.JobKind;
import dev.skep.transport.mcp.ToolArgument;
import dev.skep.transport.route.HttpMethod;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All tools; a process offers those whose routes it has. */
final class FleetTools {
    static final String WAIT = "wait_seconds";

    private static final ToolArgument JOB = text("job", "The job's id.");
    private static final ToolArgument LIMIT =
            number("limit", 1, 200, "At most this many, newest first.").optional();

    private static final List<McpTool> OF_THE_FLEET =
            List.of(
                    new McpTool(
                            "list_hosts",
                            "Machines of the fleet: online or not, load, limits.",
                            HttpMethod.GET,
                            "/hosts",
                            List.of()),
                    new McpTool(
                            "list_agents",
                            "AI agents on all hosts: what each is doing, its budget.",
                            HttpMethod.GET,
                            "/view/agents",
                            List.of()),
                    new McpTool(
                            "list_nodes",
                            "Live agent processes that registered on some host.",
                            HttpMethod.GET,
                            "/view/nodes",
                            List.of()),
                    new McpTool(
                            "list_servers",
                            "Managed server processes, each of one host.",
                            HttpMethod.GET,
                            "/servers",
                            List.of()),
                    new McpTool(
                            "list_jobs",
                            "Jobs, newest first.",
                            HttpMethod.GET,
                            "/jobs",
                            List.of(
                                    text("status", "pending, running, succeeded, failed, …")
                                            .optional(),
                                    text("host", "Only of this host, by its id.").optional(),
                                    LIMIT)),
                    new McpTool(
                            "create_job",
                            "Asks a host, or the host of a server, to do something; follow it with get_job.",
                            HttpMethod.POST,
                            "/jobs",
                            List.of(
                                    text(
                                            "type",
                                            "What to do: "
                                                    + Arrays.stream(JobKind.values())
                                                            .map(JobKind::type)
                                                            .collect(Collectors.joining(", "))
                                                    + "."),
                                    text("hostId", "The host, by its id.").optional(),
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
                                    text("idempotencyKey", "The same key makes one job.")
                                            .optional())),
                    new McpTool(
                            "get_job",
                            "A job, its newest run and what that printed. Can wait for the job's end.",
                            HttpMethod.GET,
                            "/jobs/{job}",
                            List.of(
                                    JOB,
                                    number(WAIT, 0, 60, "Wait so long for the job to be over.")
                                            .optional()),
                            true),
                    new McpTool(
                            "cancel_job",
                            "Stops a job that waits or runs.",
                            HttpMethod.POST,
                            "/jobs/{job}/cancel",
                            List.of(JOB)),
                    new McpTool(
                            "control_agent",
                            "Starts, stops, pauses or resumes an agent, or says something to it.",
                            HttpMethod.POST,
                            "/agents/{agent}/{action}",
                            List.of(
                                    agent("The agent: its name, name@host, or id."),
                                    choice(
                                            "action",
                                            List.of("start", "stop", "pause", "resume", "talk"),
                                            "What to do."),
                                    text("text", "What to say, with talk.").optional())),
                    new McpTool(
                            "control_agents",
                            "Does the same to many agents: those named, or all that fit a filter. The answer has each refusal by name.",
                            HttpMethod.POST,
                            "/agents/actions",
                            List.of(
                                    choice(
                                            "action",
                                            List.of("start", "stop", "pause", "resume", "talk"),
                                            "What to do."),
                                    texts("agents", "Their names, name@host, or ids.").optional(),
                                    object(
                                                    "filter",
                                                    "Instead of agents: host, status and text, each optional; {} means all.")
                                            .optional(),
                                    text("text", "What to say, with talk.").optional())),
                    new McpTool(
                            "show_hold",
                            "Whether all agents of the org are stopped, by whom, and how far each host is.",
                            HttpMethod.GET,
                            "/hold",
                            List.of()),
                    new McpTool(
                            "stop_all_agents",
                            "Has all agents of the org stand still at once, on hosts that are away when they are back. For emergencies.",
                            HttpMethod.POST,
                            "/hold",
                            List.of(text("reason", "Why, for people.").optional())),
                    new McpTool(
                            "let_all_agents_go",
                            "Undoes stop_all_agents: each agent goes back to what it was.",
                            HttpMethod.DELETE,
                            "/hold",
                            List.of()),
                    new McpTool(
                            "read_log",
                            "What an agent said and did.",
                            HttpMethod.GET,
                            "/view/history/log",
                            List.of(agent("The agent: its name, name@host, or id."), LIMIT)),
                    new McpTool(
                            "read_mail",
                            "Mail between agents and people, newest first. Marks nothing as read.",
                            HttpMethod.GET,
                            "/view/history/mail",
                            List.of(
                                    agent("Only of this agent: its name, name@host, or id.")
                                            .optional(),
                                    text("q", "Only with these words.").optional(),
                                    choice("state", List.of("unread"), "Only unread.").optional(),
                                    LIMIT)),
                    new McpTool(
                            "send_mail",
                            "Writes to agents, in the name of the operator whose key this is.",
                            HttpMethod.POST,
                            "/mail",
                            List.of(
                                    text("to", "Names, separated by commas: alice, bob@host-2."),
                                    text("subject", "In a few words."),
                                    text("body", "What to tell them."),
                                    text("replyTo", "The id of the mail this answers.")
                                            .optional())));

    static final List<McpTool> ALL =
            Stream.concat(OF_THE_FLEET.stream(), AgentFileTools.ALL.stream()).toList();

    private FleetTools() {}
}
