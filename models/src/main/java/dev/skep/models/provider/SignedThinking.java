package dev.skep.models.provider;

import dev.langchain4j.data.message.AiMessage;
import dev.skep.models.Thinking;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reply's thinking to and from what LangChain4j hangs on its messages. The signature we keep is a
 * line with the provider's own and a line for each block the provider encrypted; neither holds line
 * ends.
 */
final class SignedThinking {
    private static final String SIGNATURE = "thinking_signature";
    private static final String REDACTED = "redacted_thinking";

    /** What a model of OpenAI thought, and how our signature of it begins. */
    private static final String ENCRYPTED = "encrypted_reasoning";

    private static final String OPENAI = "openai:";

    private SignedThinking() {}

    static @Nullable Thinking of(AiMessage message) {
        var lines = new ArrayList<String>();
        lines.add(message.attributes().get(SIGNATURE) instanceof String signed ? signed : "");
        if (message.attributes().get(REDACTED) instanceof List<?> blocks) {
            blocks.forEach(block -> lines.add(String.valueOf(block)));
        }
        String encrypted = message.attribute(ENCRYPTED, String.class);
        String signature = encrypted == null ? String.join("\n", lines) : OPENAI + encrypted;
        String text = message.thinking();
        if (text == null && signature.isEmpty()) {
            return null;
        }
        return new Thinking(text == null ? "" : text, signature.isEmpty() ? null : signature);
    }

    static void restore(Thinking thinking, AiMessage.Builder message) {
        if (!thinking.text().isEmpty()) {
            message.thinking(thinking.text());
        }
        if (thinking.signature() == null) {
            return;
        }
        if (thinking.signature().startsWith(OPENAI)) {
            message.attributes(Map.of(ENCRYPTED, thinking.signature().substring(OPENAI.length())));
            return;
        }
        List<String> lines = List.of(thinking.signature().split("\n", -1));
        Map<String, Object> attributes = new HashMap<>();
        if (!lines.getFirst().isEmpty()) {
            attributes.put(SIGNATURE, lines.getFirst());
        }
        if (lines.size() > 1) {
            attributes.put(REDACTED, lines.subList(1, lines.size()));
        }
        message.attributes(attributes);
    }
}
