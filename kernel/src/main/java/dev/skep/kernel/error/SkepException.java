package dev.skep.kernel.error;

import org.jspecify.annotations.Nullable;

/**
 * A promise that could not be kept. The message is one line that names the thing and the fix, fit
 * to be shown to a person; the edge (HTTP, wire, command line) translates the code, once.
 */
public final class SkepException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public SkepException(ErrorCode code, String message) {
        this(code, message, null);
    }

    public SkepException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }

    /** Whether the message of a failure is enough; if not, its stack trace belongs in the log. */
    public static boolean isSelfExplanatory(Throwable failure) {
        return failure instanceof SkepException known && known.code != ErrorCode.INTERNAL;
    }
}
