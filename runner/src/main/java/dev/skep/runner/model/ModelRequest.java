package dev.skep.runner.model;

import java.util.List;

/**
 * What a model is asked.
 *
 * @param system the stable part, the same for all calls of a session, so that it can be cached
 * @param messages the conversation; starts with {@link Message.Said} and never holds two replies in
 *     a row
 * @param mayCommand whether the reply may call commands; false when a summary is asked for
 */
public record ModelRequest(
        String system, List<Message> messages, boolean mayCommand, ModelSettings settings) {
    public ModelRequest {
        messages = List.copyOf(messages);
    }
}
