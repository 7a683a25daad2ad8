package dev.skep.runner.acp;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an agent tells of a session while it works. */
public sealed interface SessionUpdate {
    /**
     * A piece of what the agent says.
     *
     * @param messageId tells pieces of different messages apart, with agents that send it
     */
    record MessageChunk(String text, @Nullable String messageId) implements SessionUpdate {}

    /** A piece of what the agent thinks. */
    record ThoughtChunk(String text, @Nullable String messageId) implements SessionUpdate {}

    /** A piece of what was said to the agent; in replays. */
    record UserMessageChunk(String text, @Nullable String messageId) implements SessionUpdate {}

    /**
     * The agent uses a tool.
     *
     * @param kind read, edit, delete, move, search, execute, think, fetch, other or a newer word
     * @param status pending, in_progress, completed, failed or a newer word
     * @param rawInput JSON
     * @param rawOutput JSON
     */
    record ToolCall(
            String toolCallId,
            String title,
            String kind,
            String status,
            List<ToolContent> content,
            List<ToolLocation> locations,
            @Nullable String rawInput,
            @Nullable String rawOutput)
            implements SessionUpdate {
        public ToolCall {
            content = List.copyOf(content);
            locations = List.copyOf(locations);
        }
    }

    /**
     * What changed about the use of a tool; null is: unchanged. Some agents send it for a tool of
     * which they never sent a {@link ToolCall}.
     *
     * @param outputDelta more of the output of a command, where the agent sends it piece by piece
     */
    record ToolCallUpdate(
            String toolCallId,
            @Nullable String title,
            @Nullable String kind,
            @Nullable String status,
            @Nullable List<ToolContent> content,
            @Nullable List<ToolLocation> locations,
            @Nullable String rawInput,
            @Nullable String rawOutput,
            @Nullable String outputDelta)
            implements SessionUpdate {}

    /** All that the agent plans to do, each time whole. */
    record Plan(List<PlanStep> entries) implements SessionUpdate {
        public Plan {
            entries = List.copyOf(entries);
        }
    }

    /**
     * How full the context is, and what the agent believes that the session has cost.
     *
     * @param cost null if it does not tell
     */
    record UsageUpdate(long used, long size, @Nullable Double cost, @Nullable String currency)
            implements SessionUpdate {}

    /** The agent is in another mode now. */
    record ModeChanged(String modeId) implements SessionUpdate {}

    /** A kind of update that means nothing here; counted as ignored. */
    record Other(String kind) implements SessionUpdate {}

    /** One step of a plan. */
    record PlanStep(String content, String status, String priority) {}

    /** A place that a tool touches. */
    record ToolLocation(String path, @Nullable Long line) {}

    /** What a tool shows. */
    sealed interface ToolContent {
        /** Words; for other contents than text what can be said of them in words. */
        record Text(String text) implements ToolContent {}

        /**
         * A change of a file.
         *
         * @param oldText null for a new file
         */
        record Diff(String path, @Nullable String oldText, String newText) implements ToolContent {}

        /** A terminal, which the agent has only if it is offered; we offer none. */
        record Terminal(String terminalId) implements ToolContent {}
    }
}
