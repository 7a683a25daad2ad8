package dev.skep.models;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of calling a model. */
public sealed interface ModelReply {
    /** What the call used; a failed call may have been charged too. */
    Usage usage();

    /** A whole reply. */
    record Answered(
            String text,
            List<CommandCall> commands,
            @Nullable Thinking thinking,
            Stop stop,
            Usage usage)
            implements ModelReply {
        public Answered {
            commands = List.copyOf(commands);
        }
    }

    /**
     * No usable reply.
     *
     * @param message one line for people: provider, status, the provider's own words; never a key
     * @param retryAfter what the provider asked for, or null
     */
    record Failed(Failure failure, String message, @Nullable Duration retryAfter, Usage usage)
            implements ModelReply {}

    /** Why a reply ended. */
    enum Stop {
        DONE,
        OUTPUT_LIMIT,
        REFUSED
    }

    /** Why there is no reply, and whether asking again can help. */
    enum Failure {
        RATE_LIMITED(true),
        OVERLOADED(true),
        UNREACHABLE(true),
        /** Nothing arrived for longer than the idle limit. */
        STALLED(true),
        /** The stream ended in the middle of a reply. */
        CUT_OFF(true),
        /** What arrived is not what the provider's API promises. */
        MALFORMED(true),
        KEY_REFUSED(false),
        /** Out of credit or quota at the provider. */
        QUOTA_EXHAUSTED(false),
        CONTEXT_TOO_LONG(false),
        BAD_REQUEST(false);

        private final boolean retryable;

        Failure(boolean retryable) {
            this.retryable = retryable;
        }

        public boolean retryable() {
            return retryable;
        }
    }
}
