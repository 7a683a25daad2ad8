package dev.skep.runner.approval;

import org.jspecify.annotations.Nullable;

/** Why a person says no, as it is stored and told to the agent. */
final class DenyReason {
    private static final int LONGEST = 1_000;

    private DenyReason() {}

    /** One line or a few of bounded length; null if nothing was said, or it was no denial. */
    static @Nullable String cleaned(ApprovalChoice choice, @Nullable String said) {
        if (said == null || said.isBlank() || choice != ApprovalChoice.DENY) {
            return null;
        }
        String text = said.strip().replaceAll("[\\p{Cntrl}&&[^\\n]]", " ");
        int end =
                text.offsetByCodePoints(
                        0, Math.min(LONGEST, text.codePointCount(0, text.length())));
        return text.substring(0, end);
    }
}
