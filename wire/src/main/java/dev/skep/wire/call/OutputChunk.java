package dev.skep.wire.call;

/**
 * A piece of what a run printed.
 *
 * @param n counted by its host from 0, so that the same piece sent twice is stored once
 */
public record OutputChunk(long n, String stream, String text) {
    /** The longest text of one, in characters. */
    public static final int LONGEST = 16_384;
}
