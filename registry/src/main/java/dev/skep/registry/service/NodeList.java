package dev.skep.registry.service;

import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.registry.table.NodeDetails;
import dev.skep.registry.table.NodeListStore;
import dev.skep.registry.table.NodeListStore.VisitRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of all hosts for views of a whole org: what is stored, and in addition what the
 * registries of this process know but could not store yet, so that a node on a full disk is
 * visible.
 */
public final class NodeList {
    private final NodeListStore stored;
    private final Function<OrgId, List<UnstoredNode>> unstored;

    public NodeList(NodeListStore stored, Function<OrgId, List<UnstoredNode>> unstored) {
        this.stored = stored;
        this.unstored = unstored;
    }

    /** A node id is unique at its host only. */
    private record Key(String host, String id) {}

    /** Everything that was not removed. */
    public List<NodeDetails> all(Principal who) {
        // Before the rows: what is stored in between shows in them.
        Map<Key, UnstoredNode> waiting = new LinkedHashMap<>();
        for (UnstoredNode each : unstored.apply(who.org())) {
            waiting.put(new Key(each.node().host().value(), each.node().id()), each);
        }
        List<NodeDetails> rows = stored.all(who);
        return waiting.isEmpty() ? rows : over(who, rows, waiting);
    }

    private List<NodeDetails> over(
            Principal who, List<NodeDetails> rows, Map<Key, UnstoredNode> waiting) {
        List<NodeDetails> all = new ArrayList<>(rows.size() + waiting.size());
        for (NodeDetails row : rows) {
            now(row, waiting.remove(new Key(row.hostId(), row.id()))).ifPresent(all::add);
        }
        Map<String, Optional<String>> names = new LinkedHashMap<>();
        for (UnstoredNode left : waiting.values()) {
            if (!left.removed()) {
                Optional<String> host =
                        names.computeIfAbsent(
                                left.node().host().value(),
                                _ -> stored.hostName(who, left.node().host()));
                all.add(NodeDetails.unstored(left.node(), host.orElse(null)));
            }
        }
        return all;
    }

    private static Optional<NodeDetails> now(NodeDetails row, @Nullable UnstoredNode later) {
        if (later == null) {
            return Optional.of(row);
        }
        return later.removed() ? Optional.empty() : Optional.of(row.unstored(later.node()));
    }

    /** The newest visits of a node before one of them, newest first. */
    public List<VisitRow> visits(
            Principal who, String host, String node, String beforeId, int limit) {
        return stored.visits(who, host, node, beforeId, limit);
    }
}
