package dev.skep.dispatch.queue.ledger;

/** Who keeps the order of what waits. */
public enum QueueOrderOwner {
    /** The table of runs itself, by an index. */
    HERE,
    /** Another store; the index is spared. */
    OUTSIDE
}
