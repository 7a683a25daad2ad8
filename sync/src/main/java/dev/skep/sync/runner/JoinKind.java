package dev.skep.sync.runner;

/** What joins a hub: either way it speaks for its own rows, and for nobody else's. */
public enum JoinKind {
    AS_RUNNER(""),

    /**
     * A hub at another one. It has hosts of its own, whose rows it takes from themselves only, and
     * whose agents nobody else moves. What it hears of others it keeps and sends to nobody.
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
