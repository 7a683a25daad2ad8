package dev.skep.directory.host;

import java.util.Locale;

/** What a host is for; the lower-case name stands in its row. */
public enum HostKind {
    RUNNER,
    HUB;

    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static HostKind of(String stored) {
        return valueOf(stored.toUpperCase(Locale.ROOT));
    }
}
