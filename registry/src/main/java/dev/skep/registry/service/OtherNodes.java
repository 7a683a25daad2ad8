package dev.skep.registry.service;

import dev.skep.kernel.id.HostId;
import dev.skep.registry.node.Change;
import dev.skep.registry.node.Node;
import dev.skep.registry.service.RosterLoop.Outcome;
import dev.skep.registry.table.NodeStore;
import dev.skep.store.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Keeps the view of other hosts' nodes up to date. Whoever hears that the database moved, that a
 * host's rows were stored, or that a host came or went, says so here; missing one is made good by
 * the next.
 */
public final class OtherNodes {
    private final Database database;
    private final NodeStore nodes;
    private final RosterLoop loop;
    private final Predicate<HostId> isOnline;
    private final AtomicBoolean toLook = new AtomicBoolean();

    /** Up to where stored rows were looked at; the roster's thread owns it. */
    private long seen;

    OtherNodes(Database database, NodeStore nodes, RosterLoop loop, Predicate<HostId> isOnline) {
        this.database = database;
        this.nodes = nodes;
        this.loop = loop;
        this.isOnline = isOnline;
    }

    /** Takes in all that is stored, before anybody listens. */
    void load(RosterLoop.View view) {
        database.read(nodes::ofOthers)
                .forEach(
                        (host, stored) ->
                                view.others()
                                        .replace(host, stored, isOnline.test(host), view.now()));
    }

    /** Reads a host's nodes again and announces what is different; does not wait. */
    public void changed(HostId host) {
        loop.tell(view -> announced(reread(view, host)));
    }

    /** Looks which hosts' nodes were stored since the last time; never waits. */
    public void moved() {
        if (toLook.compareAndSet(false, true) && !loop.offer(this::look)) {
            toLook.set(false);
        }
    }

    private Outcome<Boolean> look(RosterLoop.View view) {
        toLook.set(false);
        NodeStore.Moved moved = database.read(snapshot -> nodes.movedSince(snapshot, seen));
        List<Change> changes = new ArrayList<>();
        moved.hosts().forEach(host -> changes.addAll(reread(view, host)));
        seen = moved.position();
        return announced(changes);
    }

    private List<Change> reread(RosterLoop.View view, HostId host) {
        List<Node> stored = database.read(snapshot -> nodes.of(snapshot, host));
        return view.others().replace(host, stored, isOnline.test(host), view.now());
    }

    private static Outcome<Boolean> announced(List<Change> changes) {
        return new Outcome<>(true, List.of(), changes, () -> {});
    }
}
