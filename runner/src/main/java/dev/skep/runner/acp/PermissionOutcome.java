package dev.skep.runner.acp;

/** What was decided about a permission that an agent asked for. */
public sealed interface PermissionOutcome {
    /** One of the options that the agent offered. */
    record Selected(String optionId) implements PermissionOutcome {}

    /** Nothing was decided, because the turn ends. */
    record Cancelled() implements PermissionOutcome {}
}
