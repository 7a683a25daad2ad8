package dev.skep.kernel.id;

/** Names an AI persona, a row of users. */
public record AgentId(String value) {
    public AgentId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("AgentId is blank");
        }
    }

    /**
     * An id as a host stored it: a blank one becomes a placeholder, so that it does not hide the
     * rows around it.
     */
    public static AgentId stored(String value) {
        return new AgentId(value.isBlank() ? "?" : value);
    }

    @Override
    public String toString() {
        return value;
    }
}
