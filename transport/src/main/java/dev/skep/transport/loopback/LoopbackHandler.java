package dev.skep.transport.loopback;

import java.io.IOException;

/** Answers the requests below one path; called on a virtual thread of its own, may block. */
@FunctionalInterface
public interface LoopbackHandler {
    /** A failure before the answer has begun becomes a 500, and later one cuts the answer off. */
    void handle(LoopbackExchange exchange) throws IOException;
}
