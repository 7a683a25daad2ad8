package dev.skep.kernel.row;

/**
 * A place in one database's change stream: {@code epoch · 2^26 + n} in a long, a decimal string on
 * the wire, 0 for nothing. Opaque to everyone but the database that made it.
 */
public final class Position {
    public static final long NONE = 0;

    /** The largest n of an epoch; when it is reached, the next epoch opens. */
    public static final long MAX_N = (1L << 26) - 1;

    private Position() {}

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
