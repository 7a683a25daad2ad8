package dev.skep.models.gateway;

import dev.skep.models.provider.ModelEndpoint;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** OpenAI's responses. */
final class ResponsesRules extends WireRules {
    private static final Set<String> CONTROLLED =
            Set.of(
                    "model",
                    "max_output_tokens",
                    "input",
                    "tools",
                    "stream",
                    "service_tier",
                    "previous_response_id",
                    "conversation",
                    "background",
                    "prompt",
                    "store",
                    "context_management");

    @Override
    PromptImages check(CallBody body) throws RefusedCall {
        JsonNode root = body.root();
        refuseOtherSpellings(root, CONTROLLED);
        refuseIfThere(
                root,
                "previous_response_id",
                "conversation",
                "background",
                "prompt",
                "context_management");
        for (JsonNode tool : root.path("tools")) {
            tool(tool);
        }
        boolean keeps = !root.path("store").isBoolean() || root.path("store").booleanValue();
        PromptImages images = new PromptImages();
        int entry = 0;
        for (JsonNode item : root.path("input")) {
            images.at(entry++);
            if (item.isObject()) {
                item(item, keeps, images);
            }
        }
        return images;
    }

    private static void tool(JsonNode tool) throws RefusedCall {
        switch (word(tool, "type")) {
            case "function", "custom", "local_shell", "apply_patch" -> {}
            case "shell" -> {
                if (!word(tool.path("environment"), "type").equals("local")) {
                    throw withoutPrice("the provider's shell");
                }
            }
            case "namespace" -> {
                for (JsonNode inner : tool.path("tools")) {
                    tool(inner);
                }
            }
            case "tool_search" -> {
                if (!word(tool, "execution").equals("client")) {
                    throw withoutPrice("the provider's tool_search");
                }
            }
            default -> throw withoutPrice("the provider's tool " + word(tool, "type"));
        }
    }

    private static void item(JsonNode item, boolean keeps, PromptImages images) throws RefusedCall {
        switch (word(item, "type")) {
            case "item_reference" ->
                    throw new RefusedCall(
                            "item_reference cannot be used here: what it costs is not in the request");
            case "reasoning" -> {
                if (keeps && !item.path("encrypted_content").isString()) {
                    throw new RefusedCall(
                            "reasoning that the provider has stored cannot be used here: what it costs is not in the request");
                }
            }
            case "computer_call_output" -> part(item.path("output"), images);
            default -> {
                parts(item.path("content"), images);
                parts(item.path("output"), images);
            }
        }
    }

    private static void parts(JsonNode content, PromptImages images) throws RefusedCall {
        if (content.isArray()) {
            for (JsonNode part : content) {
                part(part, images);
            }
        }
    }

    private static void part(JsonNode part, PromptImages images) throws RefusedCall {
        switch (word(part, "type")) {
            case "input_image", "computer_screenshot" -> {
                refuseIfThere(part, "file_id");
                images.addAddress(word(part, "image_url"));
            }
            case "input_file", "input_audio", "input_video" ->
                    throw withoutPrice("a part of type " + word(part, "type"));
            default -> refuseIfThere(part, "file_id", "file_url");
        }
    }

    @Override
    int percent(CallBody body) throws RefusedCall {
        return OpenAiTier.percent(word(body.root(), "service_tier"));
    }

    @Override
    Output output(CallBody body, ModelEndpoint endpoint) throws RefusedCall {
        long wanted = wanted(body.root().path("max_output_tokens"), endpoint);
        return new Output(1, least(wanted), wanted);
    }

    @Override
    void bound(CallBody body, ModelEndpoint endpoint, BodyEditor edits, long each) {
        JsonNode sent = body.root().path("max_output_tokens");
        if (!sent.isIntegralNumber() || sent.asDouble() > each) {
            edits.set(Long.toString(each), "max_output_tokens");
        }
    }
}
