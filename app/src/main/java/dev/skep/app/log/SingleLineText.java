package dev.skep.app.log;

/**
 * Text that stays on its line: characters that move a terminal's cursor, end a line or change its
 * direction are written as escapes. Names and messages come from elsewhere, and must not be able to
 * forge a log line.
 */
final class SingleLineText {
    private SingleLineText() {}

    static String of(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isUnsafe(text.charAt(i))) {
                return escaped(text);
            }
        }
        return text;
    }

    private static String escaped(String text) {
        StringBuilder line = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (isUnsafe(c)) {
                        line.append("\\u%04x".formatted((int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        return line.toString();
    }

    /** Control characters, separators of lines, and marks that turn the direction of writing. */
    private static boolean isUnsafe(char c) {
        return Character.isISOControl(c)
                || (c >= '\u2028' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }
}
