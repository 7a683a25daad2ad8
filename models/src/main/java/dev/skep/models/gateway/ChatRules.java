package dev.skep.models.gateway;

import dev.skep.models.provider.ModelEndpoint;
import dev.skep.models.provider.ProviderProtocol;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** OpenAI's chat completions, and those of all who copied them. */
final class ChatRules extends WireRules {
    private static final Set<String> CONTROLLED =
            Set.of(
                    "model",
                    "max_tokens",
                    "max_completion_tokens",
                    "messages",
                    "tools",
                    "stream",
                    "stream_options",
                    "service_tier",
                    "n",
                    "best_of",
                    "models",
                    "plugins",
                    "prediction",
                    "modalities",
                    "audio",
                    "web_search_options");

    @Override
    PromptImages check(CallBody body) throws RefusedCall {
        JsonNode root = body.root();
        refuseOtherSpellings(root, CONTROLLED);
        refuseOtherSpellings(root.path("stream_options"), Set.of("include_usage"));
        refuseIfThere(
                root,
                "models",
                "route",
                "provider",
                "plugins",
                "prediction",
                "audio",
                "web_search_options",
                "best_of");
        for (JsonNode modality : root.path("modalities")) {
            if (!modality.asString("").equals("text")) {
                throw withoutPrice("output other than text");
            }
        }
        for (JsonNode tool : root.path("tools")) {
            if (!Set.of("function", "custom").contains(word(tool, "type"))) {
                throw withoutPrice("the provider's tool " + word(tool, "type"));
            }
        }
        PromptImages images = new PromptImages();
        int entry = 0;
        for (JsonNode message : root.path("messages")) {
            images.at(entry++);
            refuseIfThere(message, "audio");
            JsonNode content = message.path("content");
            if (content.isArray()) {
                for (JsonNode part : content) {
                    part(part, images);
                }
            }
        }
        return images;
    }

    private static void part(JsonNode part, PromptImages images) throws RefusedCall {
        switch (word(part, "type")) {
            case "text", "refusal", "thinking", "reasoning" -> {}
            case "image_url" -> {
                JsonNode image = part.path("image_url");
                images.addAddress(image.isString() ? image.stringValue() : word(image, "url"));
            }
            default -> throw withoutPrice("a part of type " + word(part, "type"));
        }
    }

    @Override
    int percent(CallBody body) throws RefusedCall {
        return OpenAiTier.percent(word(body.root(), "service_tier"));
    }

    @Override
    Output output(CallBody body, ModelEndpoint endpoint) throws RefusedCall {
        JsonNode old = body.root().path("max_tokens");
        JsonNode now = body.root().path("max_completion_tokens");
        long wanted =
                old.isIntegralNumber() && now.isIntegralNumber()
                        ? Math.max(wanted(old, endpoint), wanted(now, endpoint))
                        : wanted(now.isIntegralNumber() ? now : old, endpoint);
        return new Output(count(body.root().path("n"), "n"), least(wanted), wanted);
    }

    @Override
    void bound(CallBody body, ModelEndpoint endpoint, BodyEditor edits, long each) {
        boolean sent = false;
        for (String name : new String[] {"max_tokens", "max_completion_tokens"}) {
            JsonNode bound = body.root().path(name);
            if (bound.isIntegralNumber()) {
                sent = true;
                if (bound.asDouble() > each) {
                    edits.set(Long.toString(each), name);
                }
            }
        }
        if (!sent) {
            // OpenAI's newer models refuse the old name, others know only that.
            edits.set(
                    Long.toString(each),
                    endpoint.dialect() == ProviderProtocol.OPENAI
                            ? "max_completion_tokens"
                            : "max_tokens");
        }
        if (body.root().path("stream").asBoolean(false)
                && !body.root().path("stream_options").path("include_usage").asBoolean(false)) {
            edits.set("true", "stream_options", "include_usage");
        }
    }
}
