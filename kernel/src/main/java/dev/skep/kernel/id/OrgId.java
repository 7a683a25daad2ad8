package dev.skep.kernel.id;

/** Names a tenant; nothing crosses it. */
public record OrgId(String value) {
    public OrgId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("OrgId is blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
