package dev.skep.shell;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The head and the tail of what was printed since it was last taken, in bounded memory however much
 * that was. Bytes that are no UTF-8 and characters that are no text become U+FFFD; terminal escapes
 * are left out. Thread-safe.
 */
final class OutputWindow {
    private final CharsetDecoder decoder =
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private final TerminalText text = new TerminalText();
    private final ByteBuffer undecoded = ByteBuffer.allocate(8192);
    private final CharBuffer decoded = CharBuffer.allocate(8192);
    private final int headLimit;
    private final char[] tail;

    private StringBuilder head = new StringBuilder();
    private long beyondHead;

    OutputWindow(int chars) {
        this.headLimit = Math.max(1, chars / 2);
        this.tail = new char[Math.max(1, chars - headLimit)];
    }

    synchronized void append(byte[] bytes, int from, int length) {
        int at = from;
        int end = from + length;
        while (at < end) {
            int step = Math.min(end - at, undecoded.remaining());
            undecoded.put(bytes, at, step);
            at += step;
            decode(false);
        }
    }

    /** How many characters would be missing if it were taken now. */
    synchronized long omitted() {
        return Math.max(0, beyondHead - tail.length);
    }

    /** What came since the last time; a character still incomplete stays for the next. */
    synchronized CappedOutput take() {
        CappedOutput output = peek();
        head = new StringBuilder();
        beyondHead = 0;
        return output;
    }

    /** The same, and nothing is taken. */
    synchronized CappedOutput peek() {
        int kept = (int) Math.min(beyondHead, tail.length);
        var last = new StringBuilder(kept);
        for (long i = beyondHead - kept; i < beyondHead; i++) {
            last.append(tail[(int) (i % tail.length)]);
        }
        var output = new CappedOutput(whole(head), omitted(), whole(last));
        if (output.omittedChars() == 0) {
            output = CappedOutput.whole(head.toString() + last);
        }
        return output;
    }

    private void decode(boolean end) {
        undecoded.flip();
        while (true) {
            var result = decoder.decode(undecoded, decoded, end);
            decoded.flip();
            while (decoded.hasRemaining()) {
                keep(decoded.get());
            }
            decoded.clear();
            if (!result.isOverflow()) {
                break;
            }
        }
        undecoded.compact();
    }

    private void keep(char c) {
        int shown = text.next(c);
        if (shown < 0) {
            return;
        }
        if (head.length() < headLimit) {
            head.append((char) shown);
        } else {
            tail[(int) (beyondHead++ % tail.length)] = (char) shown;
        }
    }

    /** Half a surrogate pair at a cut would be no text. */
    private static String whole(StringBuilder cut) {
        int from = cut.length() > 0 && Character.isLowSurrogate(cut.charAt(0)) ? 1 : 0;
        int to = cut.length();
        if (to > from && Character.isHighSurrogate(cut.charAt(to - 1))) {
            to--;
        }
        return cut.substring(from, to);
    }
}
