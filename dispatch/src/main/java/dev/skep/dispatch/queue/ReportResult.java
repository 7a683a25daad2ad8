package dev.skep.dispatch.queue;

/** What became of a report. */
public enum ReportResult {
    APPLIED,
    /** The same was reported before; a host that did not receive the answer may ask again. */
    REPEATED,
    /** Kept, without effect: the run was no longer the host's. */
    LATE,
    /** There is no such run of this host. */
    UNKNOWN
}
