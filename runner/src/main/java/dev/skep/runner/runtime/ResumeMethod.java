package dev.skep.runner.runtime;

/** How a runtime takes up a session of an earlier process. */
public enum ResumeMethod {
    /** {@code session/load}, which replays what was said. */
    LOAD,
    /** {@code session/resume}, which does not. */
    RESUME,
    NONE
}
