package dev.skep.shell.redact;

/**
 * A text that comes in pieces, redacted as a whole: what may be the beginning of a secret is held
 * back until the rest arrives. Not thread-safe.
 */
public final class RedactedStream {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final String BEARER = "bearer ";

    /** A word or key longer than this does not wait for its end. */
    private static final int LONGEST_WAIT = 16_384;

    private final Redactor redactor;
    private String waiting = "";

    RedactedStream(Redactor redactor) {
        this.redactor = redactor;
    }

    /** Takes a piece and returns what can be shown. */
    public String write(String piece) {
        String text = waiting + piece;
        int end = Math.min(redactor.mayBegin(text), privateKey(text));
        return show(text, lastWord(text.substring(0, end)));
    }

    /** What can be shown though nothing more came for a while; half a known secret cannot. */
    public String pause() {
        return show(waiting, Math.min(redactor.mayBegin(waiting), privateKey(waiting)));
    }

    /** The rest, once nothing more comes. */
    public String end() {
        return show(waiting, waiting.length());
    }

    private String show(String text, int end) {
        int wanted = text.length() - end > LONGEST_WAIT ? redactor.mayBegin(text) : end;
        int cut = redactor.cut(text, wanted);
        waiting = text.substring(cut);
        return redactor.redact(text.substring(0, cut));
    }

    /** Where a key of many lines begins that is not over. */
    private static int privateKey(String text) {
        int begin = text.lastIndexOf(BEGIN);
        int end = begin < 0 ? -1 : text.indexOf(END, begin);
        boolean over = end >= 0 && text.indexOf(DASHES, end + END.length()) >= 0;
        return begin < 0 || over ? text.length() : begin;
    }

    /** Where an unfinished word begins, with the mark that makes it a key. */
    private static int lastWord(String text) {
        int word = text.length();
        while (word > 0 && !Character.isWhitespace(text.charAt(word - 1))) {
            word--;
        }
        int before = word - BEARER.length();
        return before >= 0 && text.regionMatches(true, before, BEARER, 0, BEARER.length())
                ? before
                : word;
    }
}
