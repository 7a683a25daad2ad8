package dev.skep.dispatch.queue;

/** What became of asking for an end. */
public enum CancelResult {
    CANCELLED,
    /** Its host learns of it with the next renewal. */
    ASKED,
    /** It was over already. */
    OVER,
    UNKNOWN
}
