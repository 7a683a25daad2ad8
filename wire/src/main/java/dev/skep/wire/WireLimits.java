package dev.skep.wire;

/** Bounds on what is read from a peer, all far above what a peer of ours sends. */
public final class WireLimits {
    /** The longest message in bytes before compression; a page with one row of the longest fits. */
    public static final int MESSAGE = 16 << 20;

    /** The longest text of one column, in characters: the cap on a whole row. */
    static final int TEXT = 1 << 20;

    /** Unknown columns are kept as they came, up to this many characters. */
    static final int EXTRA = 1 << 16;

    /** How much of a refused row is kept for people to look at. */
    static final int REFUSED = 4_096;

    /** Refused rows of one message that are kept; the rest is counted with the last. */
    static final int REFUSED_ROWS = 100;

    static final int DEPTH = 16;
    static final int NUMBER = 20;
    static final int NAME = 256;

    private WireLimits() {}
}
