package dev.skep.runner.tools;

import java.util.Optional;

/** What a tool asks of the turn that it is called in. */
public interface ToolEffects {
    /** The work is done: the session ends after this turn. */
    void completed(String note);

    /** Why no call may begin now; empty if one may. */
    default Optional<String> held() {
        return Optional.empty();
    }

    /** Something for people to read; it is in the log already, as the call that brought it. */
    default void noted(String note) {}
}
