package dev.skep.models.provider;

import dev.skep.models.ModelReply.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A provider's refusal, read from its status, headers and text. */
record ProviderError(Failure failure, String words, @Nullable Duration retryAfter) {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LONGEST = 300;

    private static final List<String> TOO_LONG =
            List.of(
                    "context_length_exceeded",
                    "prompt is too long",
                    "maximum context length",
                    "input token count",
                    "context window",
                    "too many tokens in the prompt");

    private static final List<String> NO_CREDIT =
            List.of("insufficient_quota", "credit balance", "billing", "payment required");

    /** A status other than success, with whatever the body says. */
    static ProviderError ofStatus(int status, String body, @Nullable Duration retryAfter) {
        JsonNode error = error(body);
        String words = words(error, body);
        Duration wait = retryAfter == null ? retryDelay(error) : retryAfter;
        return new ProviderError(
                failure(status, kind(error) + " " + words),
                "%d %s".formatted(status, words).strip(),
                wait);
    }

    /** An error in the middle of a stream that began well. */
    static ProviderError ofEvent(JsonNode error) {
        String kind = kind(error).toLowerCase(Locale.ROOT);
        int status = 500;
        if (kind.contains("rate_limit") || kind.contains("resource_exhausted")) {
            status = 429;
        } else if (kind.contains("invalid_request") || kind.contains("invalid_argument")) {
            status = 400;
        } else if (kind.contains("authentication") || kind.contains("permission")) {
            status = 401;
        } else if (kind.contains("too_large")) {
            status = 413;
        }
        String words = words(error, error.toString());
        return new ProviderError(failure(status, kind + " " + words), words, retryDelay(error));
    }

    private static Failure failure(int status, String said) {
        String lower = said.toLowerCase(Locale.ROOT);
        if (status == 402 || (status < 500 && NO_CREDIT.stream().anyMatch(lower::contains))) {
            return Failure.QUOTA_EXHAUSTED;
        }
        if (status == 413 || (status < 500 && TOO_LONG.stream().anyMatch(lower::contains))) {
            return Failure.CONTEXT_TOO_LONG;
        }
        if (status == 401 || status == 403 || lower.contains("api key not valid")) {
            return Failure.KEY_REFUSED;
        }
        return switch (status) {
            case 429 -> Failure.RATE_LIMITED;
            case 408, 409, 425 -> Failure.OVERLOADED;
            default -> status >= 500 ? Failure.OVERLOADED : Failure.BAD_REQUEST;
        };
    }

    private static JsonNode error(String body) {
        try {
            JsonNode root = JSON.readTree(body);
            // Google answers a stream's request with a list of one
            JsonNode first = root.isArray() ? root.path(0) : root;
            return first.has("error") ? first.path("error") : first;
        } catch (JacksonException notJson) {
            return JSON.missingNode();
        }
    }

    private static String kind(JsonNode error) {
        return "%s %s %s"
                .formatted(
                        error.path("type").asString(""),
                        error.path("code").asString(""),
                        error.path("status").asString(""))
                .strip();
    }

    private static String words(JsonNode error, String body) {
        String said = error.isString() ? error.asString() : error.path("message").asString(body);
        String line = KeyShapes.hidden(said.strip()).replaceAll("\\s+", " ");
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    }

    /** Google says how long in the body: {@code "retryDelay": "37s"}. */
    private static @Nullable Duration retryDelay(JsonNode error) {
        for (JsonNode detail : error.path("details")) {
            String delay = detail.path("retryDelay").asString("");
            if (delay.matches("\\d{1,6}(\\.\\d+)?s")) {
                return RetryAfter.seconds(delay.substring(0, delay.length() - 1));
            }
        }
        return null;
    }
}
