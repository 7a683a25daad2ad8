package dev.skep.runner.command;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a command wants of the loop once the turn is over. */
public sealed interface LoopEffect {
    record None() implements LoopEffect {}

    /**
     * Waits for a message from a person, for mail, or until the time is over.
     *
     * @param limit null to wait for ever
     * @param forMail whether mail wakes even an agent whose file disables that
     */
    record Wait(@Nullable Duration limit, boolean forMail) implements LoopEffect {}

    /** To go on with a summary instead of the whole conversation. */
    record Compact() implements LoopEffect {}

    /** To end the session: the work is done. */
    record Complete(String note) implements LoopEffect {}
}
