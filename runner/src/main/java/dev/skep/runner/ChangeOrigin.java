package dev.skep.runner;

import org.jspecify.annotations.Nullable;

/**
 * For whom an agent's file is changed.
 *
 * @param author what people call who asked for it
 * @param hub the address of the hub at which they did, as this host knows it; null on this host
 * @param reason why, in their words
 * @param changeId the job by which the hub sent it
 */
public record ChangeOrigin(
        String author, @Nullable String hub, @Nullable String reason, @Nullable String changeId) {
    private static final int LONGEST_AUTHOR = 100;
    private static final int LONGEST_REASON = 500;

    public ChangeOrigin {
        author = shown(author, LONGEST_AUTHOR);
        reason = reason == null || reason.isBlank() ? null : shown(reason, LONGEST_REASON);
    }

    /** Somebody on this host. */
    public static ChangeOrigin here(String author, @Nullable String reason) {
        return new ChangeOrigin(author, null, reason, null);
    }

    /** Somebody else chose the text: short, and on one line. */
    private static String shown(String text, int longest) {
        return text.strip()
                .codePoints()
                .limit(longest)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString()
                .replaceAll("\\p{Cntrl}", " ");
    }
}
