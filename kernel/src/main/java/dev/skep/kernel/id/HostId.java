package dev.skep.kernel.id;

/** Names one enrolled machine, the owner of its rows. */
public record HostId(String value) {
    public HostId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("HostId is blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
