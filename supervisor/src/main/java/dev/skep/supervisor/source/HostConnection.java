package dev.skep.supervisor.source;

import dev.skep.directory.history.ConnectionRecord;
import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * From when to when a host was connected to a hub.
 *
 * @param state {@code connected}, {@code ended}, or {@code unknown} if its end was not observed
 *     here
 * @param hub where people reach the process it was with; empty if that is not known
 * @param address where the host came from
 * @param reason why it ended
 */
public record HostConnection(
        String id,
        String host,
        String state,
        String hub,
        String address,
        Instant openedAt,
        @Nullable Instant closedAt,
        @Nullable String reason)
        implements Keyed {
    /**
     * As a hub wrote it down.
     *
     * @param live whether its host is there now
     */
    public static HostConnection of(ConnectionRecord found, boolean live) {
        boolean open = found.closedAt() == null;
        return new HostConnection(
                found.id(),
                found.host(),
                !open ? "ended" : live ? "connected" : "unknown",
                found.hub(),
                found.address(),
                found.openedAt(),
                found.closedAt(),
                found.reason());
    }
}
