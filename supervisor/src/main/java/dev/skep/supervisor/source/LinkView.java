package dev.skep.supervisor.source;

import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One link between this database and a peer, a host on a hub and a hub on a runner.
 *
 * @param state {@code connected}, {@code catching_up} or {@code away}
 * @param lagRows rows the peer has that are not here yet, or the other way round on a runner
 * @param lagSeconds age of the oldest of them
 */
public record LinkView(
        String id,
        String peer,
        String role,
        String state,
        @Nullable Long lagRows,
        @Nullable Long lagSeconds,
        @Nullable Instant lastPullAt,
        long inFlight,
        long rows,
        @Nullable String error)
        implements Keyed {}
