package dev.skep.models.provider;

import dev.skep.models.Usage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The facts in one reply's events beside its text: what was used, whether it is complete, whether
 * the provider gave up in the middle. Used by one thread.
 */
public abstract class StreamInspector {
    private Usage usage = Usage.NONE;
    private boolean ended;
    private boolean refused;
    private boolean unreadableCall;
    private @Nullable JsonNode error;

    public static StreamInspector of(ProviderProtocol providerProtocol) {
        return switch (providerProtocol) {
            case ANTHROPIC -> new AnthropicWatch();
            case OPENAI, OPENAI_COMPATIBLE -> new OpenAiWatch();
            case OPENAI_RESPONSES -> new ResponsesWatch();
            case GOOGLE -> new GoogleWatch();
        };
    }

    public final void see(JsonNode event) {
        JsonNode said = event.path("error");
        if (said.isObject() || said.isString()) {
            error = said;
            return;
        }
        read(event);
    }

    protected abstract void read(JsonNode event);

    public final void use(Usage counted) {
        usage = counted;
    }

    public final void end() {
        ended = true;
    }

    public final void refuse() {
        refused = true;
        ended = true;
    }

    public final Usage usage() {
        return usage;
    }

    public final boolean ended() {
        return ended;
    }

    /** The provider itself could not read the call its model wrote. */
    final boolean unreadableCall() {
        return unreadableCall;
    }

    final void callUnreadable() {
        unreadableCall = true;
        ended = true;
    }

    final boolean refused() {
        return refused;
    }

    final void fail(JsonNode said) {
        error = said;
    }

    public final @Nullable JsonNode error() {
        return error;
    }

    public static long count(JsonNode parent, String name) {
        return parent.path(name).asLong(0);
    }

    /** Input comes without what was cached; counts come at the start and again, higher, later. */
    private static final class AnthropicWatch extends StreamInspector {
        @Override
        protected void read(JsonNode event) {
            switch (event.path("type").asString("")) {
                case "message_start" -> add(event.path("message").path("usage"));
                case "message_delta" -> {
                    add(event.path("usage"));
                    if (event.path("delta").path("stop_reason").asString("").equals("refusal")) {
                        refuse();
                    }
                }
                case "message_stop" -> end();
                default -> {}
            }
        }

        private void add(JsonNode counts) {
            Usage before = usage();
            use(
                    new Usage(
                            Math.max(before.input(), count(counts, "input_tokens")),
                            Math.max(before.output(), count(counts, "output_tokens")),
                            Math.max(before.cacheRead(), count(counts, "cache_read_input_tokens")),
                            Math.max(
                                    before.cacheWrite(),
                                    count(counts, "cache_creation_input_tokens"))));
        }
    }

    /** Prompt tokens include those read from the cache; completion tokens include reasoning. */
    private static final class OpenAiWatch extends StreamInspector {
        @Override
        protected void read(JsonNode event) {
            JsonNode counts = event.path("usage");
            if (counts.isObject()) {
                long cached = count(counts.path("prompt_tokens_details"), "cached_tokens");
                use(
                        new Usage(
                                Math.max(0, count(counts, "prompt_tokens") - cached),
                                count(counts, "completion_tokens"),
                                cached,
                                0));
            }
            String reason = event.path("choices").path(0).path("finish_reason").asString("");
            if (reason.equals("content_filter")) {
                refuse();
            } else if (!reason.isEmpty()) {
                end();
            }
        }
    }

    /** Input includes what was read from the cache, output includes reasoning; both come last. */
    private static final class ResponsesWatch extends StreamInspector {
        @Override
        protected void read(JsonNode event) {
            JsonNode response = event.path("response");
            JsonNode counts = response.path("usage");
            if (counts.isObject()) {
                long cached = count(counts.path("input_tokens_details"), "cached_tokens");
                use(
                        new Usage(
                                Math.max(0, count(counts, "input_tokens") - cached),
                                count(counts, "output_tokens"),
                                cached,
                                0));
            }
            switch (event.path("type").asString("")) {
                case "response.completed" -> end();
                case "response.incomplete" -> {
                    String reason = response.path("incomplete_details").path("reason").asString("");
                    if (reason.equals("content_filter")) {
                        refuse();
                    } else {
                        end();
                    }
                }
                case "response.refusal.done" -> refuse();
                case "response.failed" -> fail(response.path("error"));
                case "error" -> fail(event);
                default -> {}
            }
        }
    }

    /** Every event repeats the counts; candidates' tokens do not include thoughts. */
    private static final class GoogleWatch extends StreamInspector {
        @Override
        protected void read(JsonNode event) {
            JsonNode counts = event.path("usageMetadata");
            if (counts.isObject()) {
                long cached = count(counts, "cachedContentTokenCount");
                use(
                        new Usage(
                                Math.max(
                                        0,
                                        count(counts, "promptTokenCount")
                                                + count(counts, "toolUsePromptTokenCount")
                                                - cached),
                                count(counts, "candidatesTokenCount")
                                        + count(counts, "thoughtsTokenCount"),
                                cached,
                                0));
            }
            if (event.path("promptFeedback").hasNonNull("blockReason")) {
                refuse();
            }
            switch (event.path("candidates").path(0).path("finishReason").asString("")) {
                case "" -> {}
                case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS" ->
                        callUnreadable();
                case "SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "RECITATION", "SPII" -> refuse();
                default -> end();
            }
        }
    }
}
