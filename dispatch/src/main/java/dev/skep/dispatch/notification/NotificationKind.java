package dev.skep.dispatch.notification;

import dev.skep.dispatch.alert.AlertKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The kinds of things that people can choose to be told of; channels store their names. */
public enum NotificationKind {
    APPROVAL("An approval waits", "approvals wait", true, AlertKind.APPROVAL_WAITING),
    AGENT_FAILED("An agent failed", "agents failed", true, AlertKind.AGENT_FAILED),
    AGENT_REPEATS(
            "An agent repeats itself", "agents repeat themselves", true, AlertKind.AGENT_REPEATS),
    OVER_BUDGET(
            "An agent is over budget", "agents are over budget", true, AlertKind.BUDGET_EXHAUSTED),
    MAIL("Mail for me", "mails for you", true),
    HOST_OFFLINE(
            "A host is offline",
            "hosts are offline",
            false,
            AlertKind.AGENT_OFFLINE,
            AlertKind.HUB_CONNECTIVITY),
    JOB_FAILED("A job failed", "jobs failed", false, AlertKind.JOB_FAILED);

    private final String title;
    private final String many;
    private final boolean usual;

    /** Immutable, from {@code Set.of}. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<AlertKind> alerts;

    NotificationKind(String title, String many, boolean usual, AlertKind... alerts) {
        this.title = title;
        this.many = many;
        this.usual = usual;
        this.alerts = Set.of(alerts);
    }

    /** As API, channels and the command line write it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String title() {
        return title;
    }

    /** What several of them are called, after their number. */
    String many() {
        return many;
    }

    /** Whether a new channel tells it unless somebody chooses otherwise. */
    public boolean isUsual() {
        return usual;
    }

    public static Optional<NotificationKind> of(String label) {
        return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst();
    }

    static Optional<NotificationKind> of(AlertKind alert) {
        return Arrays.stream(values()).filter(kind -> kind.alerts.contains(alert)).findFirst();
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(NotificationKind::label).toList();
    }
}
