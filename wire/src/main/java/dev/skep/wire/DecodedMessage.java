package dev.skep.wire;

/** What became of received bytes: a message, or nothing a peer of ours would send. */
public sealed interface DecodedMessage {
    /** A message. */
    record Read(Message message) implements DecodedMessage {}

    /**
     * Bytes to refuse.
     *
     * @param error the {@code sync_error} to answer with
     * @param why one line for the log, without the peer's own text
     */
    record Garbage(String error, String why) implements DecodedMessage {}
}
