package dev.skep.models.money;

import org.jspecify.annotations.Nullable;

/**
 * What a provider counted for the last prompt of an agent. It holds for a later prompt of the same
 * model that begins with the very same bytes; only what comes after is new.
 *
 * @param model as agents' files name it
 * @param messages how many messages the prompt had
 * @param digest of the system prompt and these messages
 * @param bytes of the request as it was sent
 * @param promptTokens what the provider counted for it
 * @param contextTokens the same, with the reply
 * @param logId the last line of the log the reply stands in; null before it is stored
 */
public record CountedPrompt(
        String model,
        int messages,
        String digest,
        long bytes,
        long promptTokens,
        long contextTokens,
        @Nullable String logId) {

    /** As it is stored, with the lines of its reply. */
    public CountedPrompt storedWith(String lastLine) {
        return new CountedPrompt(
                model, messages, digest, bytes, promptTokens, contextTokens, lastLine);
    }
}
