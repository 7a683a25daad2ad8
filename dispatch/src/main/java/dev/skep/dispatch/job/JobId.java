package dev.skep.dispatch.job;

/** Names a request for work on one host. */
public record JobId(String value) {
    public JobId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("JobId is blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
