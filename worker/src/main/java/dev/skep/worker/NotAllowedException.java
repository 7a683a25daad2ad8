package dev.skep.worker;

/** This host does not do what it was asked; the message says why and what helps. */
final class NotAllowedException extends Exception {
    private static final long serialVersionUID = 1;

    NotAllowedException(String message) {
        super(message);
    }
}
