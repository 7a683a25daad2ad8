package dev.skep.runner.model;

/**
 * A command line a model wants run: for the shell, or one of the built-in commands. Providers see
 * it as a call of the one tool {@code run} with the argument {@code command}.
 *
 * @param id the provider's name of the call, unique within a session
 */
public record CommandCall(String id, String command) {}
