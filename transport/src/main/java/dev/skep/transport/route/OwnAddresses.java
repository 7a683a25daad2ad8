package dev.skep.transport.route;

/** The addresses to which a request may have been sent, as far as its receiver can know. */
@FunctionalInterface
public interface OwnAddresses {
    /** Of a request that came by no address. */
    OwnAddresses NONE = url -> false;

    /**
     * Whether a URL certainly leads to this process. False where that cannot be known (a forwarded
     * port, an address of a router), since another process may answer there.
     */
    boolean has(String url);
}
