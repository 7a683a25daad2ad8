package dev.skep.registry.service;

import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.registry.node.NodeStats;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What many changes together leave to be stored: each node once, as it is after the last. */
final class RosterChangeBatch {
    /** While a disk stays full, the oldest lines of history are dropped. */
    private static final int MOST_LINES = 10_000;

    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final List<NodeHistoryEntry> lines = new ArrayList<>();
    private final Map<String, NodeStats> counts = new LinkedHashMap<>();
    private final Set<String> pruned = new LinkedHashSet<>();

    /** A node as it is now, or as removed then. */
    record Row(Node node, @Nullable Instant removedAt) {}

    RosterChangeBatch copy() {
        RosterChangeBatch copy = new RosterChangeBatch();
        copy.rows.putAll(rows);
        copy.lines.addAll(lines);
        copy.counts.putAll(counts);
        copy.pruned.addAll(pruned);
        return copy;
    }

    void put(
            Node node,
            @Nullable Instant removedAt,
            Optional<NodeHistoryEntry> nodeHistoryEntry,
            Optional<NodeStats> count) {
        rows.put(node.id(), new Row(node, removedAt));
        nodeHistoryEntry.ifPresent(lines::add);
        count.ifPresent(now -> counts.put(node.id(), now));
    }

    /** Drops its history too, also the part not stored yet. */
    void prune(Node node, Instant removedAt) {
        rows.put(node.id(), new Row(node, removedAt));
        lines.removeIf(line -> line.nodeId().equals(node.id()));
        counts.remove(node.id());
        pruned.add(node.id());
    }

    void forgetOldestLines() {
        if (lines.size() > MOST_LINES) {
            lines.subList(0, lines.size() - MOST_LINES).clear();
        }
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    Map<String, Row> rows() {
        return rows;
    }

    Map<Node, Optional<Instant>> nodes() {
        Map<Node, Optional<Instant>> nodes = new LinkedHashMap<>();
        rows.values().forEach(row -> nodes.put(row.node(), Optional.ofNullable(row.removedAt())));
        return nodes;
    }

    List<NodeHistoryEntry> lines() {
        return lines;
    }

    Map<String, NodeStats> counts() {
        return counts;
    }

    Set<String> pruned() {
        return pruned;
    }
}
