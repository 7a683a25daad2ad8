package dev.skep.shell;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Separates what a shell's programs print from what the guard and the shell report. A report is
 * {@code RS token SP text RS}, where only the two ends know the token, so that no program can print
 * one by accident. Used by one thread.
 */
final class FrameScanner {
    private static final byte RECORD_SEPARATOR = 0x1e;
    private static final int LONGEST = 64 * 1024;

    /** Takes the two kinds, in the order they came. */
    interface Sink {
        void output(byte[] bytes, int from, int length);

        void report(String text);
    }

    private final byte[] opening;
    private final Sink sink;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

    FrameScanner(String token, Sink sink) {
        this.opening = ((char) RECORD_SEPARATOR + token + " ").getBytes(StandardCharsets.US_ASCII);
        this.sink = sink;
    }

    void feed(byte[] bytes, int length) {
        int plain = 0;
        for (int i = 0; i < length; i++) {
            byte b = bytes[i];
            if (pending.size() == 0) {
                if (b == RECORD_SEPARATOR) {
                    flushPlain(bytes, plain, i);
                    pending.write(b);
                }
                continue;
            }
            plain = i + 1;
            if (pending.size() < opening.length) {
                matchOpening(b);
            } else if (b == RECORD_SEPARATOR) {
                String text = pending.toString(StandardCharsets.UTF_8);
                pending.reset();
                sink.report(text.substring(opening.length));
            } else {
                pending.write(b);
                if (pending.size() > LONGEST) {
                    notAReport();
                }
            }
        }
        if (pending.size() == 0) {
            flushPlain(bytes, plain, length);
        }
    }

    private void matchOpening(byte b) {
        if (b == opening[pending.size()]) {
            pending.write(b);
            return;
        }
        notAReport();
        if (b == RECORD_SEPARATOR) {
            pending.write(b);
        } else {
            sink.output(new byte[] {b}, 0, 1);
        }
    }

    private void notAReport() {
        byte[] text = pending.toByteArray();
        pending.reset();
        sink.output(text, 0, text.length);
    }

    private void flushPlain(byte[] bytes, int from, int to) {
        if (to > from) {
            sink.output(bytes, from, to - from);
        }
    }
}
