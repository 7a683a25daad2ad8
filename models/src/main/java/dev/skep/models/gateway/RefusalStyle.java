package dev.skep.models.gateway;

/**
 * How a program is told that its call is refused, so that it shows the reason and ends its turn.
 */
public enum RefusalStyle {
    /** An error that programs on that wire show and do not repeat. */
    BY_WIRE,
    /** A good answer that consists of the reason, for programs that show nothing else. */
    ANSWER
}
