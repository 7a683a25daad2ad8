package dev.skep.models;

import java.nio.charset.StandardCharsets;

/**
 * What a call can take at most, known before it is made.
 *
 * @param promptBytes the bytes of what is sent: no tokenizer makes more tokens of them
 * @param output the most tokens it can be charged for writing, thinking included
 * @param leastOutput with fewer tokens than these it is not worth asking
 */
public record UsageCeiling(long promptBytes, long output, long leastOutput) {
    /** A reply shorter than this says nothing useful. */
    public static final int LEAST_ANSWER = 256;

    /** What a message is wrapped in, on any wire. */
    private static final int AROUND_A_MESSAGE = 128;

    /** For a model without a provider. */
    public static UsageCeiling ofText(ModelRequest request) {
        long bytes = bytes(request.system());
        for (ModelMessage message : request.messages()) {
            bytes += AROUND_A_MESSAGE;
            bytes +=
                    switch (message) {
                        case ModelMessage.Said(var text, var images) ->
                                bytes(text) + images.size() * ImageFile.MOST_TOKENS;
                        case ModelMessage.Output(_, var text) -> bytes(text);
                        case ModelMessage.Replied replied ->
                                bytes(replied.text())
                                        + replied.commands().stream()
                                                .mapToLong(c -> bytes(c.command()))
                                                .sum();
                    };
        }
        for (ToolOffer tool : request.tools()) {
            bytes += AROUND_A_MESSAGE;
            bytes += bytes(tool.name() + tool.description() + tool.schema());
        }
        long output = Math.min(request.settings().maxOutputTokens(), request.outputAtMost());
        return new UsageCeiling(bytes, output, Math.min(LEAST_ANSWER, output));
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
