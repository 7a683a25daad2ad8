package dev.skep.runner.acp;

/** Receives what an agent says of itself; exceptions of a handler end the connection. */
public interface AcpHandler {
    /**
     * Called on one thread, in order, also after the answer to a prompt. Must not call what waits
     * for the agent's answer: the answers come after it on the same thread.
     */
    void updated(String sessionId, SessionUpdate update);

    /**
     * Called on a thread of its own, and may wait for a person. It is interrupted, and its answer
     * is {@link PermissionOutcome.Cancelled}, when the turn is cancelled, the agent withdraws the
     * request, or the connection ends.
     */
    PermissionOutcome permission(PermissionRequest request) throws InterruptedException;

    /** Called once, after the last update, on any thread. */
    void closed(String why);
}
