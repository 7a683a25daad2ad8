package dev.skep.registry.document;

import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.service.Registry;
import dev.skep.registry.table.NodeHistoryStore;
import dev.skep.registry.wire.InvalidDocumentException;
import dev.skep.registry.wire.StateReader.Sink;
import dev.skep.store.Database;
import dev.skep.store.feed.OwnRowWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Merges a document into a registry: read to its end first, then taken over in batches. */
public final class StateImport {
    private static final int BATCH = 1_000;

    private final Registry registry;
    private final Database database;
    private final NodeHistoryStore visits;
    private final InstantSource clock;

    public StateImport(
            Registry registry, Database database, OwnRowWriter ownRowWriter, InstantSource clock) {
        this.registry = registry;
        this.database = database;
        this.visits = new NodeHistoryStore(ownRowWriter);
        this.clock = clock;
    }

    /** What came of it. */
    public sealed interface Imported {
        /** How many nodes, lines of history and counts were new or newer. */
        record Done(int count) implements Imported {}

        /** Nothing was changed. */
        record Invalid(String problem) implements Imported {}
    }

    /**
     * Reads the source once to check it and once to merge it.
     *
     * @param total receives how many lines there are, before the first is merged
     * @param progress receives how many are merged
     */
    public Imported importFrom(StateSource source, LongConsumer total, LongConsumer progress) {
        Checked checked = new Checked();
        try {
            source.readInto(checked);
        } catch (InvalidDocumentException e) {
            return new Imported.Invalid(String.valueOf(e.getMessage()));
        }
        total.accept(checked.lines);
        Merge merge = new Merge(progress);
        source.readInto(merge);
        merge.finish();
        return new Imported.Done(merge.changed);
    }

    /** Proves that the document can be read to its end, and how long it is. */
    private static final class Checked implements Sink {
        private long lines;

        @Override
        public void node(Node node) {
            lines++;
        }

        @Override
        public void visit(NodeHistoryEntry nodeHistoryEntry) {
            lines++;
        }

        @Override
        public void stats(NodeStats stats) {
            lines++;
        }
    }

    private final class Merge implements Sink {
        private final LongConsumer progress;
        private final List<Node> nodes = new ArrayList<>();
        private final List<NodeHistoryEntry> lines = new ArrayList<>();
        private final List<NodeStats> counts = new ArrayList<>();
        private int changed;
        private long done;

        Merge(LongConsumer progress) {
            this.progress = progress;
        }

        @Override
        public void node(Node node) {
            nodes.add(node);
            finishIfFull(nodes.size());
        }

        @Override
        public void visit(NodeHistoryEntry nodeHistoryEntry) {
            lines.add(nodeHistoryEntry);
            finishIfFull(lines.size());
        }

        @Override
        public void stats(NodeStats stats) {
            counts.add(stats);
            finishIfFull(counts.size());
        }

        private void finishIfFull(int size) {
            progress.accept(++done);
            if (size >= BATCH) {
                finish();
            }
        }

        void finish() {
            changed += registry.adopt(nodes) + append(lines) + registry.count(counts);
            nodes.clear();
            lines.clear();
            counts.clear();
        }
    }

    private int append(List<NodeHistoryEntry> lines) {
        if (lines.isEmpty()) {
            return 0;
        }
        return database.write(
                transaction -> {
                    Map<String, NodeHistoryEntry> unknown = new LinkedHashMap<>();
                    for (NodeHistoryEntry nodeHistoryEntry : lines) {
                        if (!visits.has(transaction, nodeHistoryEntry.id())) {
                            unknown.put(nodeHistoryEntry.id(), nodeHistoryEntry);
                        }
                    }
                    visits.append(transaction, List.copyOf(unknown.values()), clock.instant());
                    return unknown.size();
                });
    }
}
