package dev.skep.cli.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Kinds of rows that can be deleted by age, and how long each is kept by default. */
public enum RetentionKind {
    /** The logs of agents. */
    LOGS(90),
    MAIL(365),
    COSTS(730),
    /** Runs of agents, and what people decided about their commands. */
    SESSIONS(365),
    /** Ended jobs, with their runs and output. */
    JOBS(90),
    /** Resolved alerts, delivered messages about them, and connections of hosts that ended. */
    ALERTS(90),
    /** Rows that sync set aside. */
    QUARANTINE(90);

    private final Duration usual;

    RetentionKind(int days) {
        this.usual = Duration.ofDays(days);
    }

    public Duration usual() {
        return usual;
    }

    static Optional<RetentionKind> named(String word) {
        return Arrays.stream(values())
                .filter(retentionKind -> retentionKind.word().equals(word))
                .findFirst();
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
