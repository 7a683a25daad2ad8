package dev.skep.transport.route;

/** Which addresses a request may have been sent to, as far as whoever took it can know. */
@FunctionalInterface
public interface OwnAddresses {
    /** Of a request that came by no address. */
    OwnAddresses NONE = url -> false;

    /**
     * Whether a URL leads here for certain. What it cannot know (a forwarded port, an address of a
     * router) it denies: somebody else may be reached there.
     */
    boolean has(String url);
}
