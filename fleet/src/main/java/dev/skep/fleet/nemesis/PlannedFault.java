package dev.skep.fleet.nemesis;

import java.time.Duration;
import java.util.Locale;

/**
 * One fault: when it begins, how long it lasts, and what it does to its target.
 *
 * @param at counted from the moment the fleet is up
 * @param target the name of a process, or of a link: {@code runner-1>hub-2}
 */
record PlannedFault(Duration at, Duration lasts, String target, FaultEffect harm) {
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%6.1f s  %-16s %s for %.1f s",
                at.toMillis() / 1e3,
                target,
                harm,
                lasts.toMillis() / 1e3);
    }
}
