package dev.skep.runner.acp;

import org.jspecify.annotations.Nullable;

/**
 * How a turn ended.
 *
 * @param stopReason end_turn, max_tokens, max_turn_requests, refusal, cancelled, or a newer word
 * @param usage null if the agent did not tell; never what is charged
 */
public record PromptResult(String stopReason, @Nullable TurnTokens usage) {
    /** Tokens as the agent counts them; 0 for what it left out. */
    public record TurnTokens(
            long input, long output, long cacheRead, long cacheWrite, long total) {}
}
