package dev.skep.runner.mcp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lines of a stream, none longer than a bound. */
final class BoundedLines {
    /** A line that is too long to be read. */
    static final class TooLong extends IOException {
        private static final long serialVersionUID = 1L;

        TooLong(int longest) {
            super("sent more than %,d KB at once".formatted(longest / 1024));
        }
    }

    private final InputStream in;
    private final int longest;

    BoundedLines(InputStream in, int longest) {
        this.in = new BufferedInputStream(in, 16 * 1024);
        this.longest = longest;
    }

    /** The next line without its end, or null at the end of the stream. */
    @Nullable String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        int read = in.read();
        if (read < 0) {
            return null;
        }
        while (read >= 0 && read != '\n') {
            if (line.size() >= longest) {
                throw new TooLong(longest);
            }
            line.write(read);
            read = in.read();
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
