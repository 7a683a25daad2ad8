package dev.skep.app.adapter;

import dev.skep.dispatch.alert.AlertCondition;
import dev.skep.dispatch.alert.AlertConditionSource;
import dev.skep.dispatch.alert.AlertKind;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.kernel.id.HostId;
import dev.skep.store.Snapshot;
import dev.skep.sync.sql.SyncProgressStore;
import dev.skep.sync.sql.SyncProgressStore.Progress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Hosts that beat while sync gets no further with them: there is no link, or there are rows that do
 * not come. Each process of a hub sees the same, if not from the same moment.
 */
public final class StalledSyncConditions implements AlertConditionSource {
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private final SyncProgressStore standings = new SyncProgressStore();
    private final HostHealthStore hosts = new HostHealthStore();
    private final Predicate<HostId> isLinked;
    private final InstantSource clock;
    private final Map<HostId, StallStart> stallStarts = new HashMap<>();

    private record StallStart(long position, Instant since) {}

    public StalledSyncConditions(Predicate<HostId> isLinked, InstantSource clock) {
        this.isLinked = isLinked;
        this.clock = clock;
    }

    @Override
    public AlertKind kind() {
        return AlertKind.SYNC_STALLED;
    }

    @Override
    public synchronized List<AlertCondition> now(Snapshot snapshot) {
        List<Progress> behind =
                standings.all(snapshot).stream()
                        .filter(each -> !each.level() || !isLinked.test(each.host()))
                        .toList();
        Set<HostId> up = up(snapshot, behind);
        Instant now = clock.instant();
        stallStarts.keySet().retainAll(up);
        return behind.stream()
                .filter(each -> up.contains(each.host()))
                .map(each -> trouble(each, now))
                .toList();
    }

    /** One that is down has an alert of its own. */
    private Set<HostId> up(Snapshot snapshot, List<Progress> behind) {
        Set<HostId> up = new HashSet<>();
        hosts.known(snapshot, behind.stream().map(Progress::host).toList())
                .forEach(
                        (host, statusInput) -> {
                            if (statusInput.health().status().isUp()) {
                                up.add(host);
                            }
                        });
        return up;
    }

    private AlertCondition trouble(Progress progress, Instant now) {
        StallStart stallStart =
                stallStarts.merge(
                        progress.host(),
                        new StallStart(progress.position(), now),
                        (was, is) -> was.position() == is.position() ? was : is);
        return new AlertCondition(
                progress.org(),
                "host:" + progress.host(),
                "Host %s is there, and its rows have not come any further for %d minutes."
                        .formatted(progress.host(), PATIENCE.toMinutes()),
                !now.isBefore(stallStart.since().plus(PATIENCE)));
    }
}
