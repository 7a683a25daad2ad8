package dev.skep.transport.call;

import java.time.Duration;
import java.util.Optional;

/** A way to call a hub: its link, or HTTP. Thread-safe. */
@FunctionalInterface
public interface HubTransport {
    /**
     * Posts JSON and waits for the answer; empty if this way is not open now. Throws SkepException
     * if the answer does not come: then nobody knows whether the hub has acted on the call.
     *
     * @param path with its query
     * @param bulk whether the call may wait behind other bulk
     */
    Optional<Answer> post(String path, String json, Duration timeout, boolean bulk)
            throws InterruptedException;

    /** A status and a JSON text, as over HTTP. */
    record Answer(int status, String body) {}
}
