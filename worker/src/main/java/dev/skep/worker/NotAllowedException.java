package dev.skep.worker;

/** This host refuses what it was asked; the message names the reason and the fix. */
final class NotAllowedException extends Exception {
    private static final long serialVersionUID = 1;

    NotAllowedException(String message) {
        super(message);
    }
}
