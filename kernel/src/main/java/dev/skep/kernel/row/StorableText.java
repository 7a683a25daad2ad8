package dev.skep.kernel.row;

/**
 * Text that every database keeps and every JSON reader accepts. PostgreSQL has no place for NUL,
 * and half a surrogate pair (a text cut in the wrong place) has no UTF-8.
 */
public final class StorableText {
    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    public static boolean isStorable(String text) {
        return firstBad(text, 0) < 0;
    }

    /** The text with a replacement character for each that cannot be kept. */
    public static String of(String text) {
        int bad = firstBad(text, 0);
        if (bad < 0) {
            return text;
        }
        StringBuilder clean = new StringBuilder(text);
        for (; bad >= 0; bad = firstBad(text, bad + 1)) {
            clean.setCharAt(bad, REPLACEMENT);
        }
        return clean.toString();
    }

    private static int firstBad(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return i;
            }
            if (Character.isSurrogate(c)) {
                boolean pair =
                        Character.isHighSurrogate(c)
                                && i + 1 < text.length()
                                && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }
}
