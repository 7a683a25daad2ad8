package dev.skep.transport.route;

/** What a request wants to do to a path. */
public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    /** Whether a request may change something, so that its origin matters. */
    public boolean isUnsafe() {
        return this != GET;
    }
}
