package dev.skep.runner.acp;

/** Something asked of an agent that did not happen; the message is fit for people. */
public final class AcpException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Failure failure;

    public AcpException(Failure failure, String message) {
        super(message);
        this.failure = failure;
    }

    /** What failed. */
    public Failure failure() {
        return failure;
    }

    /** The ways in which an agent fails. */
    public enum Failure {
        /** The connection ended before the answer, or had ended already. */
        ENDED,
        /** No answer within the limit; the connection is still open. */
        SILENT,
        /** The agent answered with an error. */
        REFUSED,
        /** The agent answered with an error that says: sign in first. */
        SIGN_IN,
        /** The agent speaks another version of the protocol. */
        VERSION,
        /** The answer lacks what it must have. */
        MALFORMED
    }
}
