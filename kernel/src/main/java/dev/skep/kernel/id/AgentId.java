package dev.skep.kernel.id;

/** Names an AI persona, a row of users. */
public record AgentId(String value) {
    public AgentId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("AgentId is blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
