package dev.skep.models.gateway;

import dev.skep.models.UsageCeiling;
import dev.skep.models.provider.ModelEndpoint;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Anthropic's messages. */
final class AnthropicRules extends WireRules {
    /** Anthropic refuses a smaller budget. */
    private static final int LEAST_THINKING = 1_024;

    private static final Set<String> CONTROLLED =
            Set.of(
                    "model",
                    "max_tokens",
                    "thinking",
                    "messages",
                    "system",
                    "tools",
                    "stream",
                    "service_tier",
                    "speed",
                    "inference_geo",
                    "container",
                    "mcp_servers",
                    "context_management");

    /** Tools that the program itself does; those of the provider have other types. */
    private static final List<String> OWN_TOOLS =
            List.of("custom", "bash_", "text_editor_", "computer_", "memory_");

    @Override
    PromptImages check(CallBody body) throws RefusedCall {
        JsonNode root = body.root();
        refuseOtherSpellings(root, CONTROLLED);
        refuseOtherSpellings(root.path("thinking"), Set.of("type", "budget_tokens"));
        refuseIfThere(root, "container", "mcp_servers");
        if (!Set.of("", "auto", "standard_only").contains(word(root, "service_tier"))
                || !Set.of("", "standard").contains(word(root, "speed"))
                || !Set.of("", "global", "not_available").contains(word(root, "inference_geo"))) {
            throw withoutPrice("another service tier, speed or place");
        }
        for (JsonNode tool : root.path("tools")) {
            String type = word(tool, "type");
            if (!type.isEmpty() && OWN_TOOLS.stream().noneMatch(type::startsWith)) {
                throw withoutPrice("the provider's tool " + type);
            }
        }
        for (JsonNode edit : root.path("context_management").path("edits")) {
            if (!word(edit, "type").startsWith("clear_")) {
                throw withoutPrice("context_management " + word(edit, "type"));
            }
        }
        PromptImages images = new PromptImages();
        blocks(root.path("system"), images);
        int entry = 0;
        for (JsonNode message : root.path("messages")) {
            images.at(entry++);
            blocks(message.path("content"), images);
        }
        return images;
    }

    private static void blocks(JsonNode content, PromptImages images) throws RefusedCall {
        if (!content.isArray()) {
            return;
        }
        for (JsonNode block : content) {
            JsonNode source = block.path("source");
            switch (word(block, "type")) {
                case "image" -> {
                    if (!word(source, "type").equals("base64")) {
                        throw new RefusedCall(
                                "images have to be in the request itself, not behind an address or an id");
                    }
                    images.add(word(source, "data"));
                }
                case "document" -> {
                    if (!Set.of("text", "content").contains(word(source, "type"))) {
                        throw withoutPrice("a document that is not text");
                    }
                    blocks(source.path("content"), images);
                }
                case "container_upload", "file", "audio", "video" ->
                        throw withoutPrice("a block of type " + word(block, "type"));
                case "tool_result" -> blocks(block.path("content"), images);
                default -> refuseIfThere(block, "file_id");
            }
        }
    }

    @Override
    Output output(CallBody body, ModelEndpoint endpoint) throws RefusedCall {
        long wanted = wanted(body.root().path("max_tokens"), endpoint);
        long least =
                thinks(body)
                        ? Math.min(wanted, LEAST_THINKING + UsageCeiling.LEAST_ANSWER)
                        : least(wanted);
        return new Output(1, least, wanted);
    }

    @Override
    void bound(CallBody body, ModelEndpoint endpoint, BodyEditor edits, long each)
            throws RefusedCall {
        JsonNode sent = body.root().path("max_tokens");
        long wanted = wanted(sent, endpoint);
        if (!sent.isIntegralNumber() || sent.asDouble() > each) {
            edits.set(Long.toString(each), "max_tokens");
        }
        JsonNode thinking = body.root().path("thinking").path("budget_tokens");
        if (thinks(body) && each < wanted && thinking.isIntegralNumber()) {
            double share = thinking.asDouble() * each / wanted;
            long most = Math.max(LEAST_THINKING, each - UsageCeiling.LEAST_ANSWER);
            long budget = (long) Math.clamp(share, LEAST_THINKING, (double) most);
            if (budget < thinking.asDouble()) {
                edits.set(Long.toString(budget), "thinking", "budget_tokens");
            }
        }
    }

    private static boolean thinks(CallBody body) throws RefusedCall {
        return word(body.root().path("thinking"), "type").equals("enabled");
    }

    @Override
    boolean keepsCacheLonger(CallBody body) {
        return body.root().findValues("ttl").stream()
                .anyMatch(ttl -> !ttl.asString("").equals("5m"));
    }
}
