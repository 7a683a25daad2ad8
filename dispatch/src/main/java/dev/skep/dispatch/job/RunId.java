package dev.skep.dispatch.job;

/** Names one attempt at a job. */
public record RunId(String value) {
    public RunId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("RunId is blank");
        }
    }

    /** The run of a job with this attempt. */
    public static RunId of(JobId job, int attempt) {
        return new RunId(job + "-" + attempt);
    }

    @Override
    public String toString() {
        return value;
    }
}
