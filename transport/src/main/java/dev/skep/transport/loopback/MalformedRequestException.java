package dev.skep.transport.loopback;

import java.io.IOException;

/** A request that is refused before a handler sees it. */
final class MalformedRequestException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    MalformedRequestException(int status, String words) {
        super(words);
        this.status = status;
    }

    int status() {
        return status;
    }
}
