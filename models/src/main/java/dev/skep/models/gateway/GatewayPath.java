package dev.skep.models.gateway;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a path below the gateway asks for; all that is not listed here is not there. */
sealed interface GatewayPath {
    /**
     * An answer of a model.
     *
     * @param model as the path names it; null where the body does
     * @param streams whether the path says so; null where the body does
     */
    record Generate(GatewayWire wire, @Nullable String model, @Nullable Boolean streams)
            implements GatewayPath {}

    /** How many tokens a prompt has, which costs nothing. */
    record CountTokens(GatewayWire wire, @Nullable String model) implements GatewayPath {}

    /** Which models there are. */
    record ListModels(GatewayWire wire) implements GatewayPath {}

    record Nothing() implements GatewayPath {}

    Pattern GOOGLE_CALL =
            Pattern.compile(
                    "/gateway/google/v1(?:beta)?/models/([A-Za-z0-9._@-]{1,200}):(generateContent|streamGenerateContent|countTokens)");

    Map<String, GatewayPath> POSTED =
            Map.of(
                    "/gateway/anthropic/v1/messages",
                    new Generate(GatewayWire.ANTHROPIC, null, null),
                    "/gateway/anthropic/v1/messages/count_tokens",
                    new CountTokens(GatewayWire.ANTHROPIC, null),
                    "/gateway/openai/v1/chat/completions",
                    new Generate(GatewayWire.CHAT, null, null),
                    "/gateway/openai/chat/completions",
                    new Generate(GatewayWire.CHAT, null, null),
                    "/gateway/openai/v1/responses",
                    new Generate(GatewayWire.RESPONSES, null, null),
                    "/gateway/openai/responses",
                    new Generate(GatewayWire.RESPONSES, null, null));

    Map<String, GatewayPath> READ =
            Map.of(
                    "/gateway/anthropic/v1/models",
                    new ListModels(GatewayWire.ANTHROPIC),
                    "/gateway/openai/v1/models",
                    new ListModels(GatewayWire.CHAT),
                    "/gateway/openai/models",
                    new ListModels(GatewayWire.CHAT),
                    "/gateway/google/v1beta/models",
                    new ListModels(GatewayWire.GOOGLE));

    static GatewayPath of(String method, String path) {
        if (method.equals("GET")) {
            return READ.getOrDefault(path, new Nothing());
        }
        if (!method.equals("POST")) {
            return new Nothing();
        }
        Matcher google = GOOGLE_CALL.matcher(path);
        if (!google.matches()) {
            return POSTED.getOrDefault(path, new Nothing());
        }
        return switch (google.group(2)) {
            case "countTokens" -> new CountTokens(GatewayWire.GOOGLE, google.group(1));
            case "generateContent" -> new Generate(GatewayWire.GOOGLE, google.group(1), false);
            default -> new Generate(GatewayWire.GOOGLE, google.group(1), true);
        };
    }

    /** The wire in whose words a refusal below this path is written. */
    static GatewayWire wireOf(String path) {
        if (path.startsWith("/gateway/anthropic")) {
            return GatewayWire.ANTHROPIC;
        }
        if (path.startsWith("/gateway/google")) {
            return GatewayWire.GOOGLE;
        }
        return path.endsWith("/responses") ? GatewayWire.RESPONSES : GatewayWire.CHAT;
    }
}
