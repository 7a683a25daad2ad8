package dev.skep.runner.runtime;

/** A runtime cannot be started here; the message is one line that says what to do. */
public final class RuntimeStartException extends Exception {
    private static final long serialVersionUID = 1;

    public RuntimeStartException(String message) {
        super(message);
    }

    RuntimeStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
