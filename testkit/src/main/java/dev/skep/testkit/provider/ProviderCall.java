package dev.skep.testkit.provider;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client sent.
 *
 * @param wire null for one that asks for no answer of a model
 * @param headers with names in small letters
 * @param text the body as it was sent
 * @param body the same, as {@link JsonText} reads it; null if there is none
 */
public record ProviderCall(
        @Nullable FakeWire wire,
        String method,
        String path,
        @Nullable String query,
        Map<String, String> headers,
        String text,
        @Nullable Object body) {

    /** How long the body is. */
    public int bytes() {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    public String model() {
        if (wire == FakeWire.GOOGLE) {
            return path.replaceFirst(".*/models/", "").replaceFirst(":[A-Za-z]+$", "");
        }
        return JsonText.at(body, "model") instanceof String name ? name : "";
    }

    public boolean streams() {
        return wire == FakeWire.GOOGLE
                ? path.endsWith(":streamGenerateContent")
                : Boolean.TRUE.equals(JsonText.at(body, "stream"));
    }

    /** The last thing said to the model, as text, and what tools gave back. */
    public String last() {
        return switch (wire) {
            case ANTHROPIC, CHAT -> lastOf(JsonText.at(body, "messages"));
            case RESPONSES -> lastOf(JsonText.at(body, "input"));
            case GOOGLE -> lastOf(JsonText.at(body, "contents"));
            case null -> "";
        };
    }

    private static String lastOf(@Nullable Object list) {
        return list instanceof List<?> all && !all.isEmpty()
                ? String.valueOf(all.getLast())
                : String.valueOf(list);
    }

    /** How many tokens each answer may have at most; as many as can be where nothing is said. */
    public long outputAtMost() {
        long bound =
                switch (wire) {
                    case ANTHROPIC -> number("max_tokens");
                    case CHAT -> Math.max(number("max_tokens"), number("max_completion_tokens"));
                    case RESPONSES -> number("max_output_tokens");
                    // Thoughts were seen to be charged beside the bound.
                    case GOOGLE ->
                            number("generationConfig", "maxOutputTokens")
                                    + Math.max(
                                            0,
                                            number(
                                                    "generationConfig",
                                                    "thinkingConfig",
                                                    "thinkingBudget"));
                    case null -> 0;
                };
        return bound <= 0 ? 1_000_000 : bound;
    }

    /** How many answers are asked for. */
    public long answers() {
        return Math.max(1, Math.max(number("n"), number("generationConfig", "candidateCount")));
    }

    private long number(Object... path) {
        return JsonText.at(body, path) instanceof Long value ? value : 0;
    }
}
