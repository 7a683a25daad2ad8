package dev.skep.runner.mcp;

import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Carries messages to one server and back. Used by one thread at a time. */
interface McpTransport extends AutoCloseable {
    /** The longest line or answer that is read. */
    int LONGEST = 2 * 1024 * 1024;

    /** So much that answers nothing is skipped while an answer is waited for. */
    int MOST_SKIPPED = 10_000;

    /** Sends a request and waits for the answer with its id, whole. */
    JsonNode request(ObjectNode message, Duration timeout)
            throws ServerFailure, InterruptedException;

    /** Sends what has no answer, as far as that goes at once. */
    void tell(ObjectNode message) throws InterruptedException;

    /** Which revision was agreed on. */
    default void agreed(String revision) {}

    /** Whether the server said that its list of tools is another now; forgotten by asking. */
    boolean toolsChanged();

    boolean isOpen();

    @Override
    void close();
}
