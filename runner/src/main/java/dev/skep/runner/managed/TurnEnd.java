package dev.skep.runner.managed;

import dev.skep.agents.session.LogEntry;
import dev.skep.runner.acp.PromptResult;
import dev.skep.runner.loop.LogEntryDraft;
import org.jspecify.annotations.Nullable;

/** The line with which a turn ends. */
final class TurnEnd {
    private TurnEnd() {}

    static LogEntryDraft draft(
            String stopReason, @Nullable String why, PromptResult.@Nullable TurnTokens usage) {
        String text = words(stopReason);
        return LogEntryDraft.ofRuntime(
                LogEntry.Type.TURN_END,
                why == null ? text : text + ": " + why,
                LogDetailJson.turnEnd(stopReason, why, usage));
    }

    private static String words(String stopReason) {
        return switch (stopReason) {
            case "end_turn" -> "the turn is over";
            case "cancelled" -> "the turn was cancelled";
            case "max_tokens" -> "the turn ended at its limit of tokens";
            case "max_turn_requests" -> "the turn ended at its limit of requests";
            case "refusal" -> "the model refused to go on";
            case "interrupted" -> "the turn was cut";
            case "crashed" -> "the turn ended with its runtime";
            case "error" -> "the turn failed";
            default -> "the turn ended: " + TextTruncator.cut(stopReason, 100);
        };
    }
}
