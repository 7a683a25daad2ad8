package dev.skep.agents.session;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log line about a command that waited for approval.
 *
 * @param by who decided, as people call them; null if the time ran out
 * @param through the hub that sent the decision; null if it was made on the host itself
 * @param always whether the yes holds for later ones too
 * @param reason why it was denied
 */
public record DecisionLine(
        boolean approved,
        @Nullable String by,
        @Nullable String through,
        boolean always,
        @Nullable String reason) {
    public DecisionLine(boolean approved, @Nullable String by, @Nullable String through) {
        this(approved, by, through, false, null);
    }

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

    /** What programs read of it beside the text: what it is about, and what no old hub knows. */
    public String detail(String approval) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("approval", approval);
        if (always) {
            detail.put("always", true);
        }
        if (reason != null) {
            detail.put("reason", reason);
        }
        return Json.text(detail);
    }

    /** The same with what {@link #detail} wrote. */
    public DecisionLine with(JsonFields detail) {
        return new DecisionLine(
                approved,
                by,
                through,
                detail.flag("always"),
                detail.has("reason") ? detail.shown("reason") : null);
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
