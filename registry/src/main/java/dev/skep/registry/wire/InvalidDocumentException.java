package dev.skep.registry.wire;

/** A document that is not one; the message names the line and the field. */
public final class InvalidDocumentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidDocumentException(String message) {
        super(message);
    }
}
