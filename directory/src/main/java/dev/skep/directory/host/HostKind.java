package dev.skep.directory.host;

import java.util.Locale;

/** What a host is for; its row holds the lower-case name. */
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
