package dev.skep.runner.loop;

import dev.skep.models.CommandCall;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelRequest;
import dev.skep.models.ToolOffer;
import dev.skep.models.Usage;
import dev.skep.models.UsageCeiling;
import dev.skep.models.money.CountedPrompt;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many tokens an agent's prompts can be at most: what the provider counted for the last one,
 * and a token for each byte that is new since. Not thread-safe.
 */
final class PromptSizeEstimator {
    /** What providers put before a prompt with tools and do not show. */
    private static final int UNSEEN_TOKENS = 1_000;

    private final String model;
    private @Nullable CountedPrompt last;

    PromptSizeEstimator(String model, @Nullable CountedPrompt last) {
        this.model = model;
        this.last = last;
    }

    long tokensAtMost(ModelRequest request, UsageCeiling usageCeiling) {
        CountedPrompt known = last;
        boolean goesOn =
                known != null
                        && known.model().equals(model)
                        && known.messages() <= request.messages().size()
                        && known.digest().equals(digest(request, known.messages()));
        return known == null || !goesOn
                ? usageCeiling.promptBytes() + UNSEEN_TOKENS
                : known.promptTokens()
                        + Math.max(0, usageCeiling.promptBytes() - known.bytes())
                        + UNSEEN_TOKENS;
    }

    /** Remembers what was counted; null if nobody counted. */
    @Nullable CountedPrompt counted(ModelRequest request, UsageCeiling usageCeiling, Usage usage) {
        if (!usage.exact() || usage.prompt() == 0) {
            return null;
        }
        int messages = request.messages().size();
        last =
                new CountedPrompt(
                        model,
                        messages,
                        digest(request, messages),
                        usageCeiling.promptBytes(),
                        usage.prompt(),
                        usage.context(),
                        null);
        return last;
    }

    /** Of all that the first messages send, each part with its length, so that none runs over. */
    private static String digest(ModelRequest request, int messages) {
        MessageDigest digest = sha256();
        add(digest, request.system());
        for (ToolOffer tool : request.tools()) {
            add(digest, "tool", tool.name(), tool.line(), tool.description(), tool.schema());
        }
        for (ModelMessage message : request.messages().subList(0, messages)) {
            switch (message) {
                case ModelMessage.Said(var text, var images) -> {
                    add(digest, "said", text);
                    images.forEach(image -> add(digest, "image", image.name(), image.checksum()));
                }
                case ModelMessage.Output(var id, var text) -> add(digest, "output", id, text);
                case ModelMessage.Replied(var text, var commands, var thinking) -> {
                    add(digest, "replied", text);
                    add(digest, commands);
                    if (thinking != null) {
                        String signature = thinking.signature();
                        add(digest, thinking.text(), signature == null ? "" : signature);
                    }
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void add(MessageDigest digest, List<CommandCall> commands) {
        commands.forEach(call -> add(digest, "call", call.id(), call.command()));
    }

    private static void add(MessageDigest digest, String... parts) {
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            digest.update(bytes);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
