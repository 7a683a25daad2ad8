package dev.skep.registry.service;

import dev.skep.kernel.id.HostId;
import dev.skep.registry.node.Node;
import dev.skep.registry.service.RosterLoop.Outcome;
import dev.skep.registry.table.NodeStore;
import dev.skep.store.Database;
import java.util.List;
import java.util.function.Predicate;

/**
 * Keeps the view of other hosts' nodes up to date. Whoever hears that a host's rows were stored, or
 * that it came or went, says so here; missing one is made good by the next.
 */
public final class OtherNodes {
    private final Database database;
    private final NodeStore nodes;
    private final RosterLoop loop;
    private final Predicate<HostId> isOnline;

    OtherNodes(Database database, NodeStore nodes, RosterLoop loop, Predicate<HostId> isOnline) {
        this.database = database;
        this.nodes = nodes;
        this.loop = loop;
        this.isOnline = isOnline;
    }

    void loadAll() {
        database.read(nodes::otherHosts).forEach(this::changed);
    }

    /** Reads a host's nodes again and announces what is different; does not wait. */
    public void changed(HostId host) {
        loop.tell(
                view -> {
                    List<Node> stored = database.read(snapshot -> nodes.of(snapshot, host));
                    return new Outcome<>(
                            true,
                            List.of(),
                            view.others().replace(host, stored, isOnline.test(host), view.now()),
                            () -> {});
                });
    }
}
