package dev.skep.transport.loopback;

import java.io.IOException;

/** A request's body is longer than the server takes; answered with 413 if nobody catches it. */
public final class BodyTooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    BodyTooLongException(long limit) {
        super("the body is longer than %,d bytes".formatted(limit));
    }
}
