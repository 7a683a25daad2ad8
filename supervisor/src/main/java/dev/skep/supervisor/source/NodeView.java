package dev.skep.supervisor.source;

import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A live agent process, or one that was.
 *
 * @param id host and node, because clients choose the node's id
 * @param node the id its client chose
 * @param countedUntil what the counts are of; null if nothing was counted yet
 * @param stored false while its registry only has it in memory
 */
public record NodeView(
        String id,
        String node,
        String host,
        String machine,
        String cwd,
        int port,
        @Nullable Long pid,
        String status,
        Instant registeredAt,
        Instant lastSeenAt,
        @Nullable Instant offlineSince,
        long reconnects,
        long messages,
        long sessions,
        long uptimeSeconds,
        long errors,
        @Nullable Instant countedUntil,
        boolean stored)
        implements Keyed {

    public NodeView withStatus(String other) {
        return new NodeView(
                id,
                node,
                host,
                machine,
                cwd,
                port,
                pid,
                other,
                registeredAt,
                lastSeenAt,
                offlineSince,
                reconnects,
                messages,
                sessions,
                uptimeSeconds,
                errors,
                countedUntil,
                stored);
    }
}
