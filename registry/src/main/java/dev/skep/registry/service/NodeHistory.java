package dev.skep.registry.service;

import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.registry.table.NodeHistoryStore;
import dev.skep.store.Database;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** When nodes came and went, also those that left and whose history is kept. */
public final class NodeHistory {
    private final Database database;
    private final NodeHistoryStore visits;
    private final NodeCountersCache nodeCountersCache;
    private final Registry registry;

    NodeHistory(
            Database database,
            NodeHistoryStore visits,
            NodeCountersCache nodeCountersCache,
            Registry registry) {
        this.database = database;
        this.visits = visits;
        this.nodeCountersCache = nodeCountersCache;
        this.registry = registry;
    }

    /** A page of lines, newest first. */
    public record Page(List<NodeHistoryEntry> visits, boolean hasMore) {}

    /**
     * The lines before one, newest first; empty if nothing is known about the node.
     *
     * @param before a line's id or an ISO-8601 time; anything else means the newest
     */
    public Optional<Page> page(String nodeId, String before, int limit) {
        Optional<Instant> time = time(before);
        List<NodeHistoryEntry> found =
                database.read(
                        snapshot ->
                                time.isPresent()
                                        ? visits.latest(snapshot, nodeId, time.get(), limit + 1)
                                        : visits.latest(snapshot, nodeId, before, limit + 1));
        boolean known =
                !found.isEmpty()
                        || nodeCountersCache.find(nodeId).isPresent()
                        || registry.find(nodeId).isPresent();
        if (!known) {
            return Optional.empty();
        }
        boolean hasMore = found.size() > limit;
        return Optional.of(new Page(hasMore ? found.subList(0, limit) : found, hasMore));
    }

    private static Optional<Instant> time(String before) {
        try {
            return Optional.of(Instant.parse(before));
        } catch (DateTimeParseException notATime) {
            return Optional.empty();
        }
    }
}
