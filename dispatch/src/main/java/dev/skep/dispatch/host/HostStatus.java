package dev.skep.dispatch.host;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The status of a host as people see it; on disk and wire by its lower-case name. */
public enum HostStatus {
    UNKNOWN,
    ONLINE,
    DEGRADED,
    OFFLINE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** An older version left it empty: the status was never checked. */
    public static HostStatus of(@Nullable String label) {
        return label == null ? UNKNOWN : valueOf(label.toUpperCase(Locale.ROOT));
    }

    /** Whether it is there, well or not. */
    public boolean isUp() {
        return this == ONLINE || this == DEGRADED;
    }
}
