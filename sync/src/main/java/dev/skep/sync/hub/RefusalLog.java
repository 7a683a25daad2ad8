package dev.skep.sync.hub;

import dev.skep.kernel.id.HostId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which refusals of which hosts were already logged: a refused host reconnects every few seconds,
 * and its reason is logged once an hour. Thread-safe.
 */
final class RefusalLog {
    private static final Duration NEWS_AGAIN = Duration.ofHours(1);

    private final InstantSource clock;
    private final Map<HostId, Map<String, Instant>> loggedAt = new ConcurrentHashMap<>();

    RefusalLog(InstantSource clock) {
        this.clock = clock;
    }

    boolean isWorthLogging(HostId host, String reason) {
        Instant now = clock.instant();
        Instant since = now.minus(NEWS_AGAIN);
        Map<String, Instant> reasons =
                loggedAt.computeIfAbsent(host, _ -> new ConcurrentHashMap<>());
        boolean[] news = new boolean[1];
        reasons.compute(
                reason,
                (_, old) -> {
                    news[0] = old == null || !old.isAfter(since);
                    return news[0] ? now : old;
                });
        return news[0];
    }
}
