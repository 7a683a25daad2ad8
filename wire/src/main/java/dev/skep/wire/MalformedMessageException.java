package dev.skep.wire;

/** Ends the reading of a message that no peer of ours sends; never leaves this package. */
final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    MalformedMessageException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
