package dev.skep.runner.tools;

import dev.skep.transport.mcp.ToolDescription;

/** One tool, and what it does. Thread-safe: all agents share one. */
record AgentTool(ToolDescription description, Action action) {
    /** What a tool does; its arguments were checked. */
    @FunctionalInterface
    interface Action {
        ToolAnswer run(ToolCall call) throws InterruptedException;
    }
}
