package dev.skep.models.gateway;

import dev.skep.models.Usage;
import dev.skep.models.provider.StreamInspector;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Usage of OpenAI's responses: all of it comes with the event that ends one. */
final class ResponsesUsage extends StreamInspector {
    /** Why a provider may refuse before it generates anything, though the stream has begun. */
    private static final Set<String> AT_ONCE =
            Set.of(
                    "rate_limit_exceeded",
                    "context_length_exceeded",
                    "insufficient_quota",
                    "invalid_prompt",
                    "server_is_overloaded");

    static boolean refusedAtOnce(JsonNode failed) {
        JsonNode response = failed.path("response");
        return !response.path("usage").isObject()
                && AT_ONCE.contains(response.path("error").path("code").asString(""));
    }

    @Override
    protected void read(JsonNode event) {
        switch (event.path("type").asString("")) {
            case "response.completed", "response.incomplete", "response.failed" -> {
                JsonNode counts = event.path("response").path("usage");
                if (counts.isObject()) {
                    long cached = count(counts.path("input_tokens_details"), "cached_tokens");
                    use(
                            new Usage(
                                    Math.max(0, count(counts, "input_tokens") - cached),
                                    count(counts, "output_tokens"),
                                    cached,
                                    0));
                    end();
                }
            }
            default -> {}
        }
    }
}
