package dev.skep.transport.route;

import java.util.Arrays;
import java.util.Optional;

/** What a request wants to do to a path. */
public enum HttpMethod {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    /** The method of that name; empty if no route takes it. */
    public static Optional<HttpMethod> named(String name) {
        return Arrays.stream(values()).filter(method -> method.name().equals(name)).findFirst();
    }

    /** Whether a request may change something, so that its origin matters. */
    public boolean isUnsafe() {
        return this != GET;
    }
}
