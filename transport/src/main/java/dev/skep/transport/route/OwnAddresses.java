package dev.skep.transport.route;

/** The addresses to which a request may have been sent, as far as its receiver can know. */
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
