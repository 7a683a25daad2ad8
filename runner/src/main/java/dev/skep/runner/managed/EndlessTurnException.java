package dev.skep.runner.managed;

/** A runtime said more in one turn than is stored of any. */
final class EndlessTurnException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EndlessTurnException(String message) {
        super(message);
    }
}
