package dev.skep.transport.session;

import java.nio.ByteBuffer;

/** A message from one side of a session to the other. */
sealed interface SessionMessage {
    record Open(String target) implements SessionMessage {}

    /** Some of a message, small enough that nothing else waits long behind it. */
    record Part(boolean text, boolean last, ByteBuffer bytes) implements SessionMessage {
        /** What a part costs in memory besides its bytes. */
        private static final int OVERHEAD = 64;

        /** How much of the window it takes up. */
        int cost() {
            return bytes.remaining() + OVERHEAD;
        }
    }

    record Credit(int bytes) implements SessionMessage {}

    record Close(int code, String reason) implements SessionMessage {}
}
