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

    /** The job it is an attempt at. */
    public JobId job() {
        int dash = value.lastIndexOf('-');
        return new JobId(dash < 1 ? value : value.substring(0, dash));
    }

    /** Whether it is the attempt with this number. */
    public boolean isAttempt(int attempt) {
        return value.endsWith("-" + attempt);
    }

    @Override
    public String toString() {
        return value;
    }
}
