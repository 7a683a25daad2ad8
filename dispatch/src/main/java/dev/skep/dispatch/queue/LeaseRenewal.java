package dev.skep.dispatch.queue;

/** What a host is to do about a run it holds. */
public enum LeaseRenewal {
    /** Go on. */
    RENEWED,
    /** Stop it and report that. */
    CANCEL,
    /** Stop it; no report is expected. */
    GONE
}
