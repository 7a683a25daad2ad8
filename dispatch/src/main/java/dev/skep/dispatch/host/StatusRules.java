package dev.skep.dispatch.host;

import dev.skep.dispatch.setting.OrgSettings;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides a host's status from heartbeats and silence.
 *
 * @param threshold how long a host may be silent before it is offline
 * @param beatsToReturn how many beats bring an offline host back
 */
public record StatusRules(Duration threshold, int beatsToReturn) {
    public static final StatusRules STANDARD = new StatusRules(Duration.ofMinutes(2), 2);

    /** The same with what an org has set. */
    StatusRules of(OrgSettings settings) {
        return new StatusRules(settings.offlineAfter(threshold), beatsToReturn);
    }

    /** A beat came. */
    public HealthRecord beat(HealthRecord before, Instant now, boolean unwell) {
        // Beats count as in a row only while none was missed for the threshold.
        boolean inRow =
                before.lastBeat() != null && now.isBefore(before.lastBeat().plus(threshold));
        int beats = inRow ? Math.min(before.beats() + 1, beatsToReturn) : 1;
        boolean returns = before.status() != HostStatus.OFFLINE || beats >= beatsToReturn;
        HostStatus status =
                returns ? upStatus(before.degradedByHand() != null || unwell) : HostStatus.OFFLINE;
        return new HealthRecord(status, now, beats, before.degradedByHand());
    }

    /** Nothing came; {@code listeningSince} is when the hub began to listen. */
    public HealthRecord silence(HealthRecord before, Instant now, Instant listeningSince) {
        boolean offline = before.status().isUp() && isSilent(before, now, listeningSince);
        return offline
                ? new HealthRecord(
                        HostStatus.OFFLINE, before.lastBeat(), 0, before.degradedByHand())
                : before;
    }

    /** The latest beat that is too old at {@code now}. */
    public Instant silentBefore(Instant now) {
        return now.minus(threshold);
    }

    public boolean inGrace(Instant now, Instant listeningSince) {
        return now.isBefore(listeningSince.plus(threshold));
    }

    private boolean isSilent(HealthRecord health, Instant now, Instant listeningSince) {
        return !inGrace(now, listeningSince)
                && (health.lastBeat() == null || !health.lastBeat().isAfter(silentBefore(now)));
    }

    private static HostStatus upStatus(boolean unwell) {
        return unwell ? HostStatus.DEGRADED : HostStatus.ONLINE;
    }

    /** The rule of seed 3, section 3.2, for rows an older version left without a status. */
    public HostStatus backfilled(HealthRecord health, Instant now) {
        if (health.lastBeat() == null) {
            return HostStatus.UNKNOWN;
        }
        return health.lastBeat().isBefore(silentBefore(now))
                ? HostStatus.OFFLINE
                : HostStatus.ONLINE;
    }
}
