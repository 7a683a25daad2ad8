package dev.skep.models.gateway;

import dev.skep.models.UsageCeiling;
import dev.skep.models.provider.ModelEndpoint;
import dev.skep.models.provider.ModelEndpoint.ReasoningStyle;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Google's content. */
final class GoogleRules extends WireRules {
    /** The longest that any of its models thinks when it is left to decide. */
    private static final long THINKS_AT_MOST = 32_768;

    /** Google's smallest models refuse a smaller budget. */
    private static final long LEAST_THINKING = 512;

    private static final String CONFIG = "generationConfig";
    private static final String THINKING = "thinkingConfig";

    private static final Set<String> CONTROLLED =
            Set.of(
                    "contents",
                    "tools",
                    "systemInstruction",
                    "cachedContent",
                    CONFIG,
                    "serviceTier");
    private static final Set<String> CONTROLLED_CONFIG =
            Set.of(
                    "maxOutputTokens",
                    "candidateCount",
                    THINKING,
                    "responseModalities",
                    "speechConfig",
                    "imageConfig");
    private static final Set<String> CONTROLLED_PART =
            Set.of("inlineData", "fileData", "functionResponse");

    @Override
    PromptImages check(CallBody body) throws RefusedCall {
        JsonNode root = body.root();
        JsonNode config = root.path(CONFIG);
        refuseOtherSpellings(root, CONTROLLED);
        refuseOtherSpellings(config, CONTROLLED_CONFIG);
        refuseOtherSpellings(config.path(THINKING), Set.of("thinkingBudget"));
        refuseIfThere(root, "cachedContent");
        refuseIfThere(config, "speechConfig", "imageConfig");
        if (!Set.of("", "standard", "flex").contains(word(root, "serviceTier"))) {
            throw withoutPrice("the service tier " + word(root, "serviceTier"));
        }
        for (JsonNode modality : config.path("responseModalities")) {
            if (!modality.asString("").equalsIgnoreCase("text")) {
                throw withoutPrice("output other than text");
            }
        }
        for (JsonNode tool : root.path("tools")) {
            for (String name : tool.propertyNames()) {
                if (!Set.of("functionDeclarations", "function_declarations").contains(name)) {
                    throw withoutPrice("the provider's tool " + name);
                }
            }
        }
        PromptImages images = new PromptImages();
        parts(root.path("systemInstruction"), images);
        int entry = 0;
        for (JsonNode content : root.path("contents")) {
            images.at(entry++);
            parts(content, images);
        }
        return images;
    }

    private static void parts(JsonNode content, PromptImages images) throws RefusedCall {
        for (JsonNode part : content.path("parts")) {
            refuseOtherSpellings(part, CONTROLLED_PART);
            refuseIfThere(part, "fileData");
            JsonNode data = part.path("inlineData");
            if (data.isObject()) {
                refuseOtherSpellings(data, Set.of("mimeType", "data"));
                if (!word(data, "mimeType").startsWith("image/")) {
                    throw withoutPrice("inline data of type " + word(data, "mimeType"));
                }
                images.add(word(data, "data"));
            }
            parts(part.path("functionResponse"), images);
        }
    }

    /** How much the thinking beside the bound can be charged with. */
    private static long thinking(CallBody body, ModelEndpoint endpoint) throws RefusedCall {
        JsonNode sent = body.root().path(CONFIG).path(THINKING).path("thinkingBudget");
        if (sent.isMissingNode() || sent.isNull()) {
            return endpoint.reasoning() == ReasoningStyle.BUDGET ? THINKS_AT_MOST : 0;
        }
        if (!sent.isIntegralNumber() || sent.asDouble() < -1) {
            throw new RefusedCall("thinkingBudget is not a whole number");
        }
        return sent.asDouble() < 0 ? THINKS_AT_MOST : (long) Math.min(sent.asDouble(), MOST_OUTPUT);
    }

    @Override
    Output output(CallBody body, ModelEndpoint endpoint) throws RefusedCall {
        JsonNode config = body.root().path(CONFIG);
        long answer = wanted(config.path("maxOutputTokens"), endpoint);
        long thinking = thinking(body, endpoint);
        long least = least(answer) + 2 * Math.min(LEAST_THINKING, thinking);
        return new Output(
                count(config.path("candidateCount"), "candidateCount"),
                Math.min(least, answer + thinking),
                answer + thinking);
    }

    @Override
    void bound(CallBody body, ModelEndpoint endpoint, BodyEditor edits, long each)
            throws RefusedCall {
        JsonNode sent = body.root().path(CONFIG).path("maxOutputTokens");
        long answer = wanted(sent, endpoint);
        long thinking = thinking(body, endpoint);
        if (each >= answer + thinking) {
            if (!sent.isIntegralNumber() || sent.asDouble() > answer) {
                edits.set(Long.toString(answer), CONFIG, "maxOutputTokens");
            }
            return;
        }
        long thinks =
                thinking == 0
                        ? 0
                        : Math.clamp(
                                Math.min(
                                        (long) ((double) thinking * each / (answer + thinking)),
                                        (each - UsageCeiling.LEAST_ANSWER) / 2),
                                0,
                                thinking);
        String bound = Long.toString(Math.min(answer, each - thinks));
        if (thinking == 0) {
            edits.set(bound, CONFIG, "maxOutputTokens");
        } else if (body.root().path(CONFIG).isObject()) {
            edits.set(bound, CONFIG, "maxOutputTokens");
            edits.set(Long.toString(thinks), CONFIG, THINKING, "thinkingBudget");
        } else {
            edits.set(
                    "{\"maxOutputTokens\":%s,\"thinkingConfig\":{\"thinkingBudget\":%d}}"
                            .formatted(bound, thinks),
                    CONFIG);
        }
    }
}
