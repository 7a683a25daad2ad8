package dev.skep.runner.managed;

/** Cuts what is too long for a line of the log: the middle goes, and a mark says how much. */
final class TextTruncator {
    private static final int MARK = 60;

    private TextTruncator() {}

    static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int kept = Math.max(0, most - MARK) / 2;
        int head = whole(text, kept);
        int tail = whole(text, text.length() - kept);
        return "%s\n[… %,d characters left out …]\n%s"
                .formatted(text.substring(0, head), tail - head, text.substring(tail));
    }

    /** The place, or the one before it that divides no character. */
    static int whole(String text, int place) {
        return place > 0
                        && place < text.length()
                        && Character.isLowSurrogate(text.charAt(place))
                        && Character.isHighSurrogate(text.charAt(place - 1))
                ? place - 1
                : place;
    }
}
