package dev.skep.kernel.consent;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** One thing a host may let a hub do; people and the wire know it by its lower-case name. */
public enum Consent {
    STEER(
            "start, stop and talk to its agents and nodes, give them tasks, decide about a waiting command"),
    AGENTS("bring agents of other hosts, and change the files of its own"),
    JOBS("run the jobs and servers that allowed-commands names"),
    EXEC("open a shell");

    private final String meaning;

    Consent(String meaning) {
        this.meaning = meaning;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a hub may then do to the host, in a few words. */
    public String meaning() {
        return meaning;
    }

    static Optional<Consent> named(String label) {
        return Arrays.stream(values()).filter(each -> each.label().equals(label)).findFirst();
    }
}
