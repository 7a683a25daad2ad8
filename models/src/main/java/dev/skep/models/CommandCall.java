package dev.skep.models;

import org.jspecify.annotations.Nullable;

/**
 * A command line a model wants run: for the shell, or one of the built-in commands. Providers see
 * it as a call of the one tool {@code run} with the argument {@code command}.
 *
 * @param id the provider's name of the call, unique within a session
 * @param command the command line, or what the model called instead
 * @param problem why nothing can be run, for the model to read; null for a good call
 */
public record CommandCall(String id, String command, @Nullable String problem) {
    public CommandCall(String id, String command) {
        this(id, command, null);
    }
}
