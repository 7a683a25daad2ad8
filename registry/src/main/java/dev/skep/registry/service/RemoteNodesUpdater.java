package dev.skep.registry.service;

import dev.skep.kernel.id.HostId;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeChange;
import dev.skep.registry.service.RosterLoop.Outcome;
import dev.skep.registry.table.NodeStore;
import dev.skep.store.Database;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Keeps the view of other hosts' nodes up to date. It is called when the database moved, when a
 * host's rows were stored, or when a host connected or disconnected; the next call makes up for a
 * missed one.
 */
public final class RemoteNodesUpdater {
    private final Database database;
    private final NodeStore nodes;
    private final RosterLoop loop;
    private final StorageMonitor storageMonitor;
    private final Predicate<HostId> isOnline;
    private final AtomicBoolean toLook = new AtomicBoolean();

    /** Up to where stored rows were looked at; the roster's thread owns it. */
    private long seen;

    /** Hosts whose nodes could not be read after a change; likewise. */
    private final Set<HostId> unread = new LinkedHashSet<>();

    private volatile boolean behind;

    RemoteNodesUpdater(
            Database database,
            NodeStore nodes,
            RosterLoop loop,
            StorageMonitor storageMonitor,
            Predicate<HostId> isOnline) {
        this.database = database;
        this.nodes = nodes;
        this.loop = loop;
        this.storageMonitor = storageMonitor;
        this.isOnline = isOnline;
    }

    /** Loads all that is stored, before there are listeners. */
    void load(RosterLoop.View view) {
        database.read(nodes::ofOthers)
                .forEach(
                        (host, stored) ->
                                view.others()
                                        .replace(host, stored, isOnline.test(host), view.now()));
    }

    /** Reads a host's nodes again and announces what is different; does not wait. */
    public void changed(HostId host) {
        loop.submit(
                view -> {
                    unread.add(host);
                    return announced(reread(view));
                });
    }

    /** Looks again if that could not be done when it should have been; never waits. */
    void catchUp() {
        if (behind) {
            moved();
        }
    }

    /** Looks which hosts' nodes were stored since the last time; never waits. */
    public void moved() {
        if (toLook.compareAndSet(false, true) && !loop.offer(this::look)) {
            toLook.set(false);
        }
    }

    private Outcome<Boolean> look(RosterLoop.View view) {
        toLook.set(false);
        behind = true;
        if (storageMonitor.isAway()) {
            return announced(List.of());
        }
        NodeStore.Moved moved = database.read(snapshot -> nodes.movedSince(snapshot, seen));
        unread.addAll(moved.hosts());
        seen = moved.position();
        return announced(reread(view));
    }

    /** While the database is away it is not asked for each host: the roster has others to serve. */
    private List<NodeChange> reread(RosterLoop.View view) {
        behind = true;
        if (storageMonitor.isAway()) {
            return List.of();
        }
        Map<HostId, List<Node>> stored =
                database.read(
                        snapshot -> {
                            Map<HostId, List<Node>> read = new LinkedHashMap<>();
                            unread.forEach(host -> read.put(host, nodes.of(snapshot, host)));
                            return read;
                        });
        List<NodeChange> changes = new ArrayList<>();
        stored.forEach(
                (host, all) ->
                        changes.addAll(
                                view.others().replace(host, all, isOnline.test(host), view.now())));
        unread.clear();
        behind = false;
        return changes;
    }

    private static Outcome<Boolean> announced(List<NodeChange> changes) {
        return new Outcome<>(true, List.of(), changes, () -> {});
    }
}
