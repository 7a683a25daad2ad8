package dev.skep.registry.table;

import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeStats;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node as its host last reported it, with its usage; the API answers with this record.
 *
 * @param host what people call its host; null if the host's own row is not stored
 * @param countedUntil what the counts are of; null if nothing was counted yet
 * @param stored false while its registry could not store how it is now
 */
public record NodeDetails(
        String id,
        String hostId,
        @Nullable String host,
        String status,
        String machine,
        int port,
        String cwd,
        @Nullable Long pid,
        Instant registeredAt,
        Instant lastSeenAt,
        @Nullable Instant offlineSince,
        long reconnects,
        long messages,
        long sessions,
        long uptimeSeconds,
        long errors,
        @Nullable Instant countedUntil,
        boolean stored) {

    /** A node from its rows. */
    static NodeDetails of(Node node, @Nullable String host, Optional<NodeStats> stats) {
        return of(
                node,
                host,
                stats.map(NodeStats::messagesRelayed).orElse(0L),
                stats.map(NodeStats::proxySessions).orElse(0L),
                stats.map(NodeStats::totalUptimeSeconds).orElse(0L),
                stats.map(NodeStats::errors).orElse(0L),
                stats.map(NodeStats::countedUntil).orElse(null),
                true);
    }

    /** One without stored counts. */
    public static NodeDetails unstored(Node node, @Nullable String host) {
        return of(node, host, 0, 0, 0, 0, null, false);
    }

    /** The same, as its registry knows it now. */
    public NodeDetails unstored(Node now) {
        return of(now, host, messages, sessions, uptimeSeconds, errors, countedUntil, false);
    }

    private static NodeDetails of(
            Node node,
            @Nullable String host,
            long messages,
            long sessions,
            long uptimeSeconds,
            long errors,
            @Nullable Instant countedUntil,
            boolean stored) {
        return new NodeDetails(
                node.id(),
                node.host().value(),
                host,
                node.status().stored(),
                node.machine(),
                node.port(),
                node.cwd(),
                node.pid(),
                node.registeredAt(),
                node.lastSeenAt(),
                node.offlineSince(),
                node.reconnects(),
                messages,
                sessions,
                uptimeSeconds,
                errors,
                countedUntil,
                stored);
    }

    /** The same with the presence that a running registry knows. */
    public NodeDetails withPresenceOf(Node now) {
        return new NodeDetails(
                id,
                hostId,
                host,
                now.status().stored(),
                machine,
                port,
                cwd,
                pid,
                registeredAt,
                now.lastSeenAt(),
                now.offlineSince(),
                reconnects,
                messages,
                sessions,
                uptimeSeconds,
                errors,
                countedUntil,
                stored);
    }
}
