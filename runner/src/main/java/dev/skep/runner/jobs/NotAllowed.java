package dev.skep.runner.jobs;

/** This host does not do what it was asked; the message says why and what helps. */
final class NotAllowed extends Exception {
    private static final long serialVersionUID = 1;

    NotAllowed(String message) {
        super(message);
    }
}
