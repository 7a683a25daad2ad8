package dev.skep.kernel.id;

/** Names a human. */
public record OperatorId(String value) {
    public OperatorId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("OperatorId is blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
