package dev.skep.testkit.provider;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the provider does with a call. */
public sealed interface ProviderAnswer {
    /** A whole answer: text, then calls of tools. */
    record Reply(String text, List<ToolUse> tools, ProviderUsage usage, Duration pause)
            implements ProviderAnswer {}

    /**
     * A call of a tool, with its input as JSON.
     *
     * @param namespace what the tool is in, on the wire that has such; else null
     */
    record ToolUse(String name, String input, @Nullable String namespace) {
        public ToolUse(String name, String input) {
            this(name, input, null);
        }
    }

    /** Says a part, and then closes the connection; charges all the same. */
    record Cut(String text, ProviderUsage usage) implements ProviderAnswer {}

    /** Says a part, and then nothing until the client leaves; charges all the same. */
    record Hang(String text, ProviderUsage usage) implements ProviderAnswer {}

    /** Refuses, or says whatever the test wants; charges nothing. */
    record Plain(int status, Map<String, String> headers, String body) implements ProviderAnswer {}

    static ProviderAnswer say(String text) {
        return say(text, ProviderUsage.of(100, 20));
    }

    static ProviderAnswer say(String text, ProviderUsage usage) {
        return new Reply(text, List.of(), usage, Duration.ZERO);
    }

    /** Calls one tool; the input is JSON. */
    static ProviderAnswer use(String tool, String input) {
        return new Reply(
                "", List.of(new ToolUse(tool, input)), ProviderUsage.of(100, 20), Duration.ZERO);
    }

    static ProviderAnswer fail(int status, String body) {
        return new Plain(status, Map.of(), body);
    }
}
