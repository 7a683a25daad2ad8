package dev.skep.shell;

/**
 * Standard output and error as they came, at most so many characters: the head, and when there was
 * more, the tail and how much is missing between them.
 */
public record CappedOutput(String head, long omittedChars, String tail) {
    /** A word longer than this is cut. */
    private static final int LONGEST_WORD = 256;

    public static CappedOutput whole(String text) {
        return new CappedOutput(text, 0, "");
    }

    /** As the agent reads it; half a word stays out, for it may be half a secret. */
    public String text() {
        if (omittedChars == 0) {
            return head + tail;
        }
        int end = head.length();
        while (end > 0 && head.length() - end < LONGEST_WORD && !isBlank(head, end - 1)) {
            end--;
        }
        int begin = 0;
        while (begin < tail.length() && begin < LONGEST_WORD && !isBlank(tail, begin)) {
            begin++;
        }
        String first = head.length() - end < LONGEST_WORD ? head.substring(0, end) : head;
        String last = begin < LONGEST_WORD ? tail.substring(begin) : tail;
        long left = omittedChars + head.length() - first.length() + tail.length() - last.length();
        return "%s\n[... %,d characters omitted ...]\n%s".formatted(first, left, last);
    }

    private static boolean isBlank(String text, int at) {
        return Character.isWhitespace(text.charAt(at));
    }
}
