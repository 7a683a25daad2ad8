package dev.skep.transport.call;

import java.time.Duration;
import java.util.Optional;

/** A way to call a hub: its link, or HTTP. Thread-safe. */
@FunctionalInterface
public interface HubTransport {
    /**
     * Posts JSON and waits for the answer; empty if this transport is not connected. Throws
     * SkepException if no answer comes: then the hub may or may not have acted on the call.
     *
     * @param path with its query
     * @param bulk whether the call may wait behind other bulk
     */
    Optional<Answer> post(String path, String json, Duration timeout, boolean bulk)
            throws InterruptedException;

    /** A status and a JSON text, as over HTTP. */
    record Answer(int status, String body) {}
}
