package dev.skep.agents.session;

import org.jspecify.annotations.Nullable;

/**
 * The log line about a command that waited for approval.
 *
 * @param by who decided, as people call them; null if the time ran out
 * @param through the hub that sent the decision; null if it was made on the host itself
 */
public record DecisionLine(boolean approved, @Nullable String by, @Nullable String through) {
    private static final String APPROVED = "approved by ";
    private static final String DENIED = "denied by ";
    private static final String THROUGH = " via hub ";
    private static final String NOBODY = "denied: nobody decided in time";

    /** The decider and the hub in between, as logs and audits show them. */
    public static String decider(String by, @Nullable String through) {
        return through == null ? by : by + THROUGH + through;
    }

    public String text() {
        return by == null ? NOBODY : (approved ? APPROVED : DENIED) + decider(by, through);
    }

    /** Parses what {@link #text} wrote; anything else counts as a denial. */
    public static DecisionLine of(String text) {
        if (text.equals(NOBODY)) {
            return new DecisionLine(false, null, null);
        }
        boolean approved = text.startsWith(APPROVED);
        String decider =
                approved
                        ? text.substring(APPROVED.length())
                        : text.startsWith(DENIED) ? text.substring(DENIED.length()) : text;
        // The last: a person may be called so, a hub names itself without spaces.
        int at = decider.lastIndexOf(THROUGH);
        return at < 0
                ? new DecisionLine(approved, decider, null)
                : new DecisionLine(
                        approved,
                        decider.substring(0, at),
                        decider.substring(at + THROUGH.length()));
    }
}
