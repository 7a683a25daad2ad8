package dev.skep.runner;

import dev.skep.models.provider.FakeProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A provider on loopback that speaks all wires and charges the most a request allows: a token for
 * each byte it is sent, all of it written to the cache where that is dearer, and as many tokens of
 * output as it is asked for, thinking beside them.
 */
final class GreedyProvider implements AutoCloseable {
    /** What one call was charged. */
    record Charged(String path, long input, long output, JsonNode request) {}

    private static final JsonMapper JSON = JsonMapper.shared();

    final List<Charged> calls = new CopyOnWriteArrayList<>();

    /** In micro-dollars at $3, $15 and $3.75 a million. */
    final AtomicLong charged = new AtomicLong();

    private final AtomicInteger turn = new AtomicInteger();
    private final IntFunction<String> commands;
    private final boolean thrifty;
    private final FakeProvider provider;

    /** What it is asked for is answered with a command for each turn. */
    GreedyProvider(IntFunction<String> commands) {
        this(commands, false);
    }

    /** Eight bytes are a token, and it writes ten tokens. */
    static GreedyProvider thrifty(IntFunction<String> commands) {
        return new GreedyProvider(commands, true);
    }

    private GreedyProvider(IntFunction<String> commands, boolean thrifty) {
        this.commands = commands;
        this.thrifty = thrifty;
        this.provider = new FakeProvider(this::answer);
    }

    /** A table with a model for each way there is to ask. */
    void writeTable(Path dir) throws java.io.IOException {
        StringBuilder table = new StringBuilder("models:\n");
        for (String[] each :
                new String[][] {
                    {"claude", "anthropic", "budget"},
                    {"claude-adaptive", "anthropic", "adaptive"},
                    {"gpt", "openai", "effort"},
                    {"gpt-responses", "openai, api: responses", "effort"},
                    {"local", "openai_compatible", "none"},
                    {"gemini", "google", "budget"},
                    {"gemini-level", "google", "effort"}
                }) {
            table.append(
                    """
                      - { name: %s, provider: %s, url: "%s", key: none, context_tokens: 200000, max_output_tokens: 64000,
                          prices: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }, reasoning: %s }
                    """
                            .formatted(each[0], each[1], provider.address(), each[2]));
        }
        Files.writeString(dir.resolve("models.yaml"), table);
    }

    private FakeProvider.Answer answer(FakeProvider.Seen seen) {
        String path = seen.requestLine().replaceFirst("POST ([^ ?]*).*", "$1");
        JsonNode request = JSON.readTree(seen.body());
        long bytes = seen.body().getBytes(StandardCharsets.UTF_8).length;
        long input = thrifty ? bytes / 8 : bytes;
        String command = commands.apply(turn.getAndIncrement());
        String arguments = JSON.writeValueAsString(java.util.Map.of("command", command));
        if (path.endsWith("/messages")) {
            long output = request.path("max_tokens").asLong();
            charge(path, input, output, request, 3_750_000);
            return FakeProvider.stream(anthropic(input, output, arguments));
        }
        if (path.endsWith("/responses")) {
            long output = request.path("max_output_tokens").asLong();
            charge(path, input, output, request, 3_000_000);
            return FakeProvider.stream(responses(input, output, arguments));
        }
        if (path.endsWith("/chat/completions")) {
            long output =
                    Math.max(
                            request.path("max_tokens").asLong(),
                            request.path("max_completion_tokens").asLong());
            output = thrifty ? 10 : output;
            charge(path, input, output, request, 3_000_000);
            return FakeProvider.stream(openAi(input, output, arguments));
        }
        JsonNode config = request.path("generationConfig");
        long thoughts = config.path("thinkingConfig").path("thinkingBudget").asLong(0);
        long output = config.path("maxOutputTokens").asLong();
        charge(path, input, output + thoughts, request, 3_000_000);
        return FakeProvider.stream(google(input, output, thoughts, arguments));
    }

    private void charge(String path, long input, long output, JsonNode request, long inputPrice) {
        if (output <= 0) {
            throw new AssertionError("a request without a bound: " + request);
        }
        charged.addAndGet(Math.ceilDiv(input * inputPrice + output * 15_000_000, 1_000_000));
        calls.add(new Charged(path, input, output, request));
    }

    private static String anthropic(long input, long output, String arguments) {
        return event(
                        "message_start",
                        """
                        {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":%d,"cache_read_input_tokens":0,"output_tokens":1}}}"""
                                .formatted(input))
                + event(
                        "content_block_start",
                        """
                        {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"run","input":{}}}""")
                + event(
                        "content_block_delta",
                        """
                        {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":%s}}"""
                                .formatted(JSON.writeValueAsString(arguments)))
                + event("content_block_stop", "{\"type\":\"content_block_stop\",\"index\":0}")
                + event(
                        "message_delta",
                        """
                        {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":%d}}"""
                                .formatted(output))
                + event("message_stop", "{\"type\":\"message_stop\"}");
    }

    private static String openAi(long input, long output, String arguments) {
        return """
        data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"x","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"run","arguments":%s}}]},"finish_reason":null}]}

        data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"x","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

        data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"x","choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}}

        data: [DONE]

        """
                .formatted(JSON.writeValueAsString(arguments), input, output, input + output);
    }

    private static String responses(long input, long output, String arguments) {
        String call =
                "{\"id\":\"f1\",\"type\":\"function_call\",\"status\":\"completed\",\"call_id\":\"c1\",\"name\":\"run\",\"arguments\":%s}"
                        .formatted(JSON.writeValueAsString(arguments));
        return """
        data: {"type":"response.output_item.done","output_index":0,"item":%1$s}

        data: {"type":"response.completed","response":{"id":"r","status":"completed","model":"x","output":[%1$s],"usage":{"input_tokens":%2$d,"output_tokens":%3$d,"total_tokens":%4$d}}}

        """
                .formatted(call, input, output, input + output);
    }

    private static String google(long input, long output, long thoughts, String arguments) {
        return """
        data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"run","args":%s}}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d,"thoughtsTokenCount":%d,"totalTokenCount":%d},"modelVersion":"x"}

        """
                .formatted(arguments, input, output, thoughts, input + output + thoughts);
    }

    private static String event(String name, String data) {
        return "event: %s\ndata: %s\n\n".formatted(name, data);
    }

    @Override
    public void close() {
        provider.close();
    }
}
