package dev.skep.transport.mcp;

import java.util.Optional;

/**
 * What a call brought beside its arguments.
 *
 * @param state what the question before had with it, for its return; nobody vouches for it
 * @param answer what the person said to that question
 */
public record CallInput(Optional<String> state, Answer answer) {
    /** Of a call that is no answer to anything. */
    public static final CallInput NONE = new CallInput(Optional.empty(), Answer.MISSING);

    /** A person's word. */
    public enum Answer {
        YES,
        NO,
        MISSING
    }
}
