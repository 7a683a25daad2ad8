package dev.skep.registry.node;

import dev.skep.kernel.id.HostId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that registered at other hosts' registries, according to their rows; active only while
 * their host is online. Not thread-safe: the roster's thread owns it.
 */
public final class RemoteNodes {
    private final Map<HostId, Map<String, Node>> nodes = new LinkedHashMap<>();

    /** Replaces one host's nodes by the stored ones, and returns the differences. */
    public List<NodeChange> replace(
            HostId host, Collection<Node> stored, boolean online, Instant now) {
        Map<String, Node> before = nodes.getOrDefault(host, Map.of());
        Map<String, Node> after = new LinkedHashMap<>();
        List<NodeChange> changes = new ArrayList<>();
        for (Node row : stored) {
            Node node = row.isActive() && !online ? row.offline(row.lastSeenAt()) : row;
            after.put(node.id(), node);
            changed(before.get(node.id()), node, now).ifPresent(changes::add);
        }
        before.forEach(
                (id, gone) -> {
                    if (!after.containsKey(id)) {
                        changes.add(
                                new NodeChange.Removed(
                                        gone, NodeChange.Reason.DEREGISTERED, null, now, null));
                    }
                });
        nodes.put(host, after);
        return changes;
    }

    private static Optional<NodeChange> changed(@Nullable Node before, Node after, Instant now) {
        if (after.equals(before)) {
            return Optional.empty();
        }
        if (before == null || (after.isActive() && !before.isActive())) {
            return Optional.of(new NodeChange.Joined(after, false, null, now));
        }
        return Optional.of(
                before.isActive() && !after.isActive()
                        ? new NodeChange.WentOffline(after, null, now)
                        : new NodeChange.Updated(after, now));
    }

    /** A node of this id, an active one if there are several. */
    public Optional<Node> find(String id) {
        Optional<Node> any = Optional.empty();
        for (Map<String, Node> ofHost : nodes.values()) {
            Node node = ofHost.get(id);
            if (node != null && node.isActive()) {
                return Optional.of(node);
            }
            any = node == null ? any : Optional.of(node);
        }
        return any;
    }

    /** Adds the nodes whose ids are not in the map yet. */
    void addTo(Map<String, Node> all) {
        for (Map<String, Node> ofHost : nodes.values()) {
            ofHost.forEach((id, node) -> find(id).ifPresent(best -> all.putIfAbsent(id, best)));
        }
    }

    /** The roster and the other hosts' nodes together, each id once. */
    public List<Node> withOwn(Roster roster) {
        if (nodes.isEmpty()) {
            return roster.nodes();
        }
        Map<String, Node> all = new LinkedHashMap<>();
        roster.nodes().forEach(node -> all.put(node.id(), node));
        addTo(all);
        return List.copyOf(all.values());
    }
}
