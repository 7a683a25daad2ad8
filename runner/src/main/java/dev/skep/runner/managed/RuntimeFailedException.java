package dev.skep.runner.managed;

/** A runtime that cannot be used now; the message is for people. */
final class RuntimeFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    RuntimeFailedException(String message, boolean lasting) {
        super(message);
        this.lasting = lasting;
    }

    /** Whether a person must do something before it can be used. */
    boolean isLasting() {
        return lasting;
    }
}
