package dev.skep.runner.acp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads lines of bytes, none longer than a bound; for one thread. */
public final class LineReader {
    private static final int AT_ONCE = 16 << 10;

    private final InputStream in;
    private final int longest;
    private final byte[] buffer = new byte[AT_ONCE];
    private int next;
    private int end;

    /** Reads nothing yet. */
    public LineReader(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
    }

    /** A line that is longer than the bound. */
    public static final class TooLong extends IOException {
        private static final long serialVersionUID = 1L;

        TooLong(int longest) {
            super("a line of the agent is longer than %,d bytes".formatted(longest));
        }
    }

    /** The next line without its end; empty if there is none. */
    public Optional<byte[]> next() throws IOException {
        var line = new ByteArrayOutputStream(256);
        while (true) {
            if (next == end && !fill()) {
                return line.size() == 0 ? Optional.empty() : Optional.of(line.toByteArray());
            }
            int stop = next;
            while (stop < end && buffer[stop] != '\n') {
                stop++;
            }
            if (line.size() + stop - next > longest) {
                throw new TooLong(longest);
            }
            line.write(buffer, next, stop - next);
            boolean whole = stop < end;
            next = whole ? stop + 1 : stop;
            if (whole) {
                return Optional.of(line.toByteArray());
            }
        }
    }

    private boolean fill() throws IOException {
        int read = in.read(buffer);
        next = 0;
        end = Math.max(read, 0);
        return read > 0;
    }
}
