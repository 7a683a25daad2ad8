package dev.skep.models.provider;

import dev.skep.models.ModelSettings;
import dev.skep.models.ModelSettings.Reasoning;
import dev.skep.models.UsageCeiling;
import dev.skep.models.provider.ModelEndpoint.ReasoningStyle;

/**
 * How much one call may write, in tokens, as it is sent.
 *
 * @param limit the bound that is sent to the provider
 * @param thinking the part for thinking that is sent too, or 0 if none is
 * @param charged the most it can charge under these bounds
 * @param least below this a call is not worth making
 */
record OutputLimits(int limit, int thinking, long charged, long least) {
    /** Anthropic refuses a smaller budget. */
    private static final int LEAST_ANTHROPIC = 1024;

    /** Google's smallest models refuse a smaller budget. */
    private static final int LEAST_GOOGLE = 512;

    /** What the settings ask for, lowered until no more than {@code atMost} can be charged. */
    static OutputLimits of(ModelEndpoint endpoint, ModelSettings settings, long atMost) {
        int answer = Math.min(settings.maxOutputTokens(), endpoint.maxOutputTokens());
        int budget = budget(settings.reasoning());
        ReasoningStyle style = style(endpoint, settings);
        return switch (endpoint.dialect()) {
            case ANTHROPIC ->
                    switch (style) {
                        // The bound counts thinking too.
                        case BUDGET -> anthropic(answer, budget, atMost);
                        case ADAPTIVE, EFFORT -> plain(answer + budget, atMost);
                        case NONE -> plain(answer, atMost);
                    };
            case GOOGLE ->
                    style == ReasoningStyle.BUDGET
                            ? google(answer, budget, atMost)
                            : plain(answer, atMost);
            // The bound counts reasoning too.
            case OPENAI, OPENAI_RESPONSES, OPENAI_COMPATIBLE -> plain(answer, atMost);
        };
    }

    static ReasoningStyle style(ModelEndpoint endpoint, ModelSettings settings) {
        return settings.reasoning() == Reasoning.OFF ? ReasoningStyle.NONE : endpoint.reasoning();
    }

    private static OutputLimits plain(int wanted, long atMost) {
        int limit = Math.clamp(atMost, 1, wanted);
        return new OutputLimits(limit, 0, limit, Math.min(UsageCeiling.LEAST_ANSWER, wanted));
    }

    private static OutputLimits anthropic(int answer, int budget, long atMost) {
        int wanted = answer + budget;
        long least = Math.min(wanted, LEAST_ANTHROPIC + UsageCeiling.LEAST_ANSWER);
        int limit = (int) Math.clamp(atMost, least, wanted);
        int thinking =
                share(budget, limit, wanted, LEAST_ANTHROPIC, limit - UsageCeiling.LEAST_ANSWER);
        return new OutputLimits(limit, thinking, limit, least);
    }

    /**
     * Google documents that thoughts do not count against the bound, but its models were seen to
     * count them: both are sent so that an answer has room, and both can be charged.
     */
    private static OutputLimits google(int answer, int budget, long atMost) {
        int wanted = answer + 2 * budget;
        long least = Math.min(wanted, 2 * LEAST_GOOGLE + UsageCeiling.LEAST_ANSWER);
        int charged = (int) Math.clamp(atMost, least, wanted);
        int thinking =
                share(
                        budget,
                        charged,
                        wanted,
                        LEAST_GOOGLE,
                        (charged - UsageCeiling.LEAST_ANSWER) / 2);
        return new OutputLimits(charged - thinking, thinking, charged, least);
    }

    /** Thinking gives way in proportion where there is less than was wanted. */
    private static int share(int budget, int left, int wanted, int least, int most) {
        return left == wanted
                ? budget
                : Math.clamp((long) budget * left / wanted, least, Math.max(least, most));
    }

    private static int budget(Reasoning reasoning) {
        return switch (reasoning) {
            case OFF -> 0;
            case LOW -> 2048;
            case MEDIUM -> 8192;
            case HIGH -> 24_576;
        };
    }
}
