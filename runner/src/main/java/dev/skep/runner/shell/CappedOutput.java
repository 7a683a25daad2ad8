package dev.skep.runner.shell;

/**
 * Standard output and error as they came, at most so many characters: the head, and when there was
 * more, the tail and how much is missing between them.
 */
public record CappedOutput(String head, long omittedChars, String tail) {
    public static CappedOutput whole(String text) {
        return new CappedOutput(text, 0, "");
    }

    /** As the agent reads it. */
    public String text() {
        return omittedChars == 0
                ? head + tail
                : "%s\n[... %,d characters omitted ...]\n%s".formatted(head, omittedChars, tail);
    }
}
