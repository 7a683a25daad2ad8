package dev.skep.worker;

import java.time.Duration;

/** Posts JSON to a hub, by whatever way there is. Thread-safe; throws when there is none. */
public interface HubTransport {
    /** What the hub is called in the log. */
    String name();

    /**
     * Asks and waits.
     *
     * @param bulk whether it may wait behind other bulk
     */
    Answer post(String path, byte[] body, Duration timeout, boolean bulk);

    /** A status and a JSON text; both as over HTTP. */
    record Answer(int status, String body) {}
}
