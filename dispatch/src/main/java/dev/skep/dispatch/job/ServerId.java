package dev.skep.dispatch.job;

/** Names a managed process of one host. */
public record ServerId(String value) {
    public ServerId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("ServerId is blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
