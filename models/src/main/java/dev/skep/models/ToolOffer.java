package dev.skep.models;

import org.jspecify.annotations.Nullable;

/**
 * A tool that a model may call beside {@code run}. A call of it is the command line that begins
 * with {@code line} and goes on with the arguments as a JSON object, so a log needs no other form
 * for it.
 *
 * @param name what providers are told: letters, digits, {@code _} and {@code -}
 * @param line how its command lines begin
 * @param schema of the arguments, a JSON object
 */
public record ToolOffer(String name, String line, String description, String schema) {
    /** The command line of a call. */
    public String call(String arguments) {
        return line + " " + arguments;
    }

    /** The arguments of a command line that calls it, to be read as JSON; null for any other. */
    public @Nullable String arguments(String command) {
        return command.startsWith(line + " {") ? command.substring(line.length() + 1) : null;
    }
}
