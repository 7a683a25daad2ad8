package dev.skep.kernel.row;

/**
 * A place in one database's change stream: {@code epoch · 2^26 + n} in a long, a decimal string on
 * the wire, 0 for nothing. Opaque to everyone but the database that made it.
 */
public final class Position {
    public static final long NONE = 0;

    /** The largest n of an epoch; when it is reached, the next epoch opens. */
    public static final long MAX_N = (1L << 26) - 1;

    /** The largest epoch there is room for. */
    public static final long MAX_EPOCH = (1L << 37) - 1;

    /**
     * The largest epoch that may come from a clock, however wrong it is: from there on a database
     * counts, and has room for hundreds of thousands of epochs.
     */
    public static final long MAX_EPOCH_BY_CLOCK = (1L << 37) - (1L << 35);

    /**
     * The largest epoch accepted from others: above it a database counts by itself, so that no peer
     * can use up its numbers. It bounds the number and not a clock, because an honest peer may have
     * had a clock that was years wrong.
     */
    public static final long MAX_EPOCH_ACCEPTED = (1L << 37) - (1L << 34);

    private Position() {}

    /** Whether a position received from a peer can be valid. */
    public static boolean isCredible(long position) {
        return position >= 0 && epoch(position) <= MAX_EPOCH_ACCEPTED;
    }

    /** The same for its two parts. */
    public static boolean isCredible(long epoch, long n) {
        return epoch >= 0 && epoch <= MAX_EPOCH_ACCEPTED && n >= 0 && n <= MAX_N;
    }

    public static long of(long epoch, long n) {
        return (epoch << 26) | n;
    }

    public static long epoch(long position) {
        return position >>> 26;
    }

    public static long n(long position) {
        return position & MAX_N;
    }

    public static String format(long position) {
        return Long.toString(position);
    }

    /** Reads a position a peer sent; anything but a non-negative decimal long is refused. */
    public static long parse(String text) {
        long position = Long.parseLong(text);
        if (position < 0) {
            throw new NumberFormatException("negative position: " + text);
        }
        return position;
    }
}
