package dev.skep.sync.runner;

/** What joins a hub; either kind sends only its own rows. */
public enum JoinKind {
    AS_RUNNER(""),

    /**
     * A hub that joins another hub. It accepts rows of its own hosts only from those hosts, and
     * only it moves their agents. Rows of other hosts it stores and does not send on.
     */
    AS_HUB("at ");

    private final String prefix;

    JoinKind(String prefix) {
        this.prefix = prefix;
    }

    /** What a hub is remembered by: it may be a host of this one at the same time. */
    public String peer(String hub) {
        return prefix + hub;
    }
}
