package dev.skep.models;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a model is asked.
 *
 * @param system the stable part, the same for all calls of a session, so that it can be cached
 * @param messages the conversation; starts with {@link ModelMessage.Said} and never holds two
 *     replies in a row
 * @param mayCommand whether the reply may call commands; false when a summary is asked for
 * @param outputAtMost the most tokens the reply may be charged for, thinking included: what there
 *     is money for
 * @param tools what may be called beside {@code run}
 */
public record ModelRequest(
        String system,
        List<ModelMessage> messages,
        boolean mayCommand,
        ModelSettings settings,
        long outputAtMost,
        List<ToolOffer> tools) {
    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }

    /** All images of the conversation. */
    public List<ImageFile> images() {
        return messages.stream()
                .flatMap(
                        message ->
                                message instanceof ModelMessage.Said said
                                        ? said.images().stream()
                                        : Stream.empty())
                .toList();
    }

    /** A request that only its settings bound. */
    public ModelRequest(
            String system,
            List<ModelMessage> messages,
            boolean mayCommand,
            ModelSettings settings) {
        this(system, messages, mayCommand, settings, Long.MAX_VALUE, List.of());
    }

    /** The same, with a reply that is charged for no more tokens than these. */
    public ModelRequest within(long output) {
        return new ModelRequest(system, messages, mayCommand, settings, output, tools);
    }

    /** The same, with these tools. */
    public ModelRequest with(List<ToolOffer> offered) {
        return new ModelRequest(system, messages, mayCommand, settings, outputAtMost, offered);
    }
}
