package dev.skep.app.mcp;

import static dev.skep.transport.mcp.ToolArgument.agent;
import static dev.skep.transport.mcp.ToolArgument.longText;
import static dev.skep.transport.mcp.ToolArgument.number;
import static dev.skep.transport.mcp.ToolArgument.text;

import dev.skep.transport.mcp.ToolArgument;
import dev.skep.transport.mcp.ToolDescription.Effect;
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

    private static final ToolArgument NUMBER = number("number", 1, 1_000_000, "Which version.");

    static final List<McpTool> ALL =
            List.of(
                    McpTool.acts(
                            "create_agent",
                            "Makes an agent of a YAML file with username, prompt and model, on a host or where labels say.",
                            Effect.CHANGES,
                            HttpMethod.POST,
                            "/agents",
                            FILE,
                            text("host", "Its host, by name or id.").optional(),
                            text(
                                            "where",
                                            "Or tests of labels: gpu=a100, zone=ams|fra, os!=macos, memory>=32, runtime.claude, or any.")
                                    .optional(),
                            REASON),
                    McpTool.reads(
                            "read_agent",
                            "An agent's file with its version, and what waits for its host.",
                            "/agents/{agent}",
                            AGENT),
                    McpTool.acts(
                            "edit_agent",
                            "Replaces an agent's file; it applies to the agent's next start.",
                            Effect.CHANGES,
                            HttpMethod.PUT,
                            "/agents/{agent}",
                            AGENT,
                            VERSION,
                            FILE,
                            REASON),
                    McpTool.reads(
                            "list_agent_versions",
                            "Who changed an agent's file, when and why; newest first.",
                            "/agents/{agent}/versions",
                            AGENT),
                    McpTool.reads(
                            "read_agent_version",
                            "The text of one version of an agent's file.",
                            "/agents/{agent}/versions/{number}",
                            AGENT,
                            NUMBER),
                    McpTool.acts(
                            "roll_back_agent",
                            "Gives an agent's file the text of an older version, as a new version.",
                            Effect.CHANGES,
                            HttpMethod.POST,
                            "/agents/{agent}/versions/{number}/restore",
                            AGENT,
                            NUMBER,
                            VERSION,
                            REASON));

    private AgentFileTools() {}
}
