package dev.skep.shell.redact;

import java.nio.CharBuffer;

/** A text without its blanks and line ends, that knows where each character stood. */
final class UnwrappedText {
    private final char[] chars;
    private final int[] places;
    private final int length;
    private final int all;

    private UnwrappedText(char[] chars, int[] places, int length, int all) {
        this.chars = chars;
        this.places = places;
        this.length = length;
        this.all = all;
    }

    static UnwrappedText of(String text) {
        char[] chars = new char[text.length()];
        int[] places = new int[text.length()];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\n' && c != ' ' && c != '\r' && c != '\t') {
                chars[length] = c;
                places[length++] = i;
            }
        }
        return new UnwrappedText(chars, places, length, text.length());
    }

    CharSequence text() {
        return CharBuffer.wrap(chars, 0, length);
    }

    boolean isShorter() {
        return length < all;
    }

    /** Where a character stood; the whole text's length for one behind the last. */
    int at(int index) {
        return index < length ? places[index] : all;
    }
}
