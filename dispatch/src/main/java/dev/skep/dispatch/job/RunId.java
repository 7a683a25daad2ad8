package dev.skep.dispatch.job;

/** Names one attempt at a job. */
public record RunId(String value) {
    public RunId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("RunId is blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
