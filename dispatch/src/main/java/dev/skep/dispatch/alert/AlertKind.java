package dev.skep.dispatch.alert;

/** The kinds of alerts; webhooks subscribe by these names. */
public enum AlertKind {
    /** A host went offline. */
    AGENT_OFFLINE("Host offline", 0xE0_4F_3F),
    /** It is back. */
    AGENT_ONLINE("Host back online", 0x3F_A0_5F),
    JOB_FAILED("Job failed", 0xE0_4F_3F),
    /** A command or a tool call waits for a person's yes. */
    APPROVAL_WAITING("An approval waits", 0xE0_A0_3F),
    /** An agent cannot go on without a person. */
    AGENT_FAILED("Agent failed", 0xE0_4F_3F),
    /** An agent was paused because it repeats itself. */
    AGENT_REPEATS("Agent repeats itself", 0xE0_A0_3F),
    BUDGET_EXHAUSTED("Budget exhausted", 0xE0_A0_3F),
    /** Four fifths of a budget are spent. */
    BUDGET_NEARLY_SPENT("Budget nearly spent", 0xE0_A0_3F),
    SYNC_STALLED("Sync stalled", 0xE0_A0_3F),
    /** Old rows are purged too late or too early. */
    RETENTION_BEHIND("Retention needs a look", 0xE0_A0_3F),
    /** So many hosts fell silent at once that the hub is the likely cause. */
    HUB_CONNECTIVITY("Many hosts silent: check the hub's connection", 0xE0_4F_3F),
    /** Sent by the test button. */
    TEST("Test", 0x3F_7F_E0);

    private final String title;
    private final int colour;

    AlertKind(String title, int colour) {
        this.title = title;
        this.colour = colour;
    }

    public String title() {
        return title;
    }

    /**
     * Whether a webhook that chose nothing receives it. Approvals come many times a day and are
     * decided at once: whoever wants to be told of them says so.
     */
    public boolean isUsual() {
        return this != APPROVAL_WAITING;
    }

    /** Whether its subject exists once, so that nobody is told of it again, whatever happened. */
    public boolean isOnce() {
        return this == APPROVAL_WAITING;
    }

    public int colour() {
        return colour;
    }
}
