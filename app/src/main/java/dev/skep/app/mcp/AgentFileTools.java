package dev.skep.app.mcp;

import static dev.skep.transport.mcp.ToolArgument.agent;
import static dev.skep.transport.mcp.ToolArgument.longText;
import static dev.skep.transport.mcp.ToolArgument.number;
import static dev.skep.transport.mcp.ToolArgument.text;

import dev.skep.transport.mcp.ToolArgument;
import dev.skep.transport.route.HttpMethod;
import java.util.List;

/** Tools that make agents and change their files. */
final class AgentFileTools {
    private static final int LONGEST_FILE = 64 << 10;
    private static final ToolArgument AGENT = agent("The agent: its name, name@host, or id.");

    private static final ToolArgument FILE =
            longText("file", LONGEST_FILE, "The agent's whole YAML file; comments are kept.");

    private static final ToolArgument REASON =
            text("reason", "Why, for people who read the versions.").optional();

    private static final ToolArgument VERSION =
            text(
                    "version",
                    "The version that you read, as read_agent gives it; another one changes nothing.");

    static final List<McpTool> ALL =
            List.of(
                    new McpTool(
                            "create_agent",
                            "Makes an agent of a YAML file with username, prompt and model, on a host or where labels say.",
                            HttpMethod.POST,
                            "/agents",
                            List.of(
                                    FILE,
                                    text("host", "Its host, by name or id.").optional(),
                                    text(
                                                    "where",
                                                    "Or tests of labels: gpu=a100, zone=ams|fra, os!=macos, memory>=32, runtime.claude, or any.")
                                            .optional(),
                                    REASON)),
                    new McpTool(
                            "read_agent",
                            "An agent's file with its version, and what waits for its host.",
                            HttpMethod.GET,
                            "/agents/{agent}",
                            List.of(AGENT)),
                    new McpTool(
                            "edit_agent",
                            "Replaces an agent's file; it applies to the agent's next start.",
                            HttpMethod.PUT,
                            "/agents/{agent}",
                            List.of(AGENT, VERSION, FILE, REASON)),
                    new McpTool(
                            "list_agent_versions",
                            "Who changed an agent's file, when and why; newest first.",
                            HttpMethod.GET,
                            "/agents/{agent}/versions",
                            List.of(AGENT)),
                    new McpTool(
                            "read_agent_version",
                            "The text of one version of an agent's file.",
                            HttpMethod.GET,
                            "/agents/{agent}/versions/{number}",
                            List.of(AGENT, number("number", 1, 1_000_000, "Which version."))),
                    new McpTool(
                            "roll_back_agent",
                            "Gives an agent's file the text of an older version, as a new version.",
                            HttpMethod.POST,
                            "/agents/{agent}/versions/{number}/restore",
                            List.of(
                                    AGENT,
                                    number("number", 1, 1_000_000, "Which version."),
                                    VERSION,
                                    REASON)));

    private AgentFileTools() {}
}
