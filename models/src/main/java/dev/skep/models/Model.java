package dev.skep.models;

/**
 * One language model, ready to be called. Thread-safe. It keeps no conversation of its own: the
 * reply is a function of the request, so that a session can continue after a restart. It does not
 * retry; the caller decides when to call again.
 */
public interface Model {
    ModelCard card();

    /** What asking this can take at most; nothing is sent. */
    default UsageCeiling demand(ModelRequest request) {
        return UsageCeiling.ofText(request);
    }

    /**
     * Asks once and waits for the whole reply. Interrupting the calling thread cancels the call:
     * the connection is closed before {@link InterruptedException} is thrown.
     */
    ModelReply ask(ModelRequest request, ModelListener listener) throws InterruptedException;
}
