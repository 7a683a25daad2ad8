package dev.skep.supervisor.view;

import dev.skep.kernel.id.Keyed;
import dev.skep.registry.table.NodeDetails;
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

    /** The pages know a node by its host's id and its own together, the API by the two apart. */
    static NodeView of(NodeDetails node, String status) {
        return new NodeView(
                node.hostId() + "/" + node.id(),
                node.id(),
                node.hostId(),
                node.machine(),
                node.cwd(),
                node.port(),
                node.pid(),
                status,
                node.registeredAt(),
                node.lastSeenAt(),
                node.offlineSince(),
                node.reconnects(),
                node.messages(),
                node.sessions(),
                node.uptimeSeconds(),
                node.errors(),
                node.countedUntil(),
                node.stored());
    }
}
