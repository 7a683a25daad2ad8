package dev.skep.registry.document;

import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.table.NodeHistoryStore;
import dev.skep.registry.table.NodeStore;
import dev.skep.registry.table.StatsStore;
import dev.skep.registry.wire.StateDocument;
import dev.skep.registry.wire.StateWriter;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.feed.OwnRowWriter;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongConsumer;

/** Writes what is stored of a host's nodes as a document: one snapshot, line by line. */
public final class StateExport {
    private final Database database;
    private final NodeStore nodes;
    private final NodeHistoryStore visits;
    private final StatsStore stats;
    private final InstantSource clock;

    public StateExport(Database database, OwnRowWriter ownRowWriter, InstantSource clock) {
        this.database = database;
        this.nodes = new NodeStore(ownRowWriter);
        this.visits = new NodeHistoryStore(ownRowWriter);
        this.stats = new StatsStore(ownRowWriter);
        this.clock = clock;
    }

    /** How many lines there are to write, for showing progress. */
    public long size() {
        return database.read(
                snapshot ->
                        nodes.own(snapshot).size()
                                + visits.count(snapshot)
                                + stats.own(snapshot).size());
    }

    /** Writes the document as a stream; {@code progress} receives how many lines are written. */
    public long writeTo(OutputStream out, LongConsumer progress) {
        return database.read(
                snapshot -> {
                    try (StateWriter writer = new StateWriter(out, clock.instant())) {
                        return write(snapshot, writer, progress);
                    }
                });
    }

    private long write(Snapshot snapshot, StateWriter writer, LongConsumer progress) {
        long done = 0;
        for (Node node : nodes.own(snapshot)) {
            writer.node(node);
            progress.accept(++done);
        }
        writer.connections();
        try (Snapshot.Cursor<NodeHistoryEntry> all = visits.all(snapshot)) {
            for (NodeHistoryEntry nodeHistoryEntry = all.next();
                    nodeHistoryEntry != null;
                    nodeHistoryEntry = all.next()) {
                writer.visit(nodeHistoryEntry);
                progress.accept(++done);
            }
        }
        writer.stats();
        List<NodeStats> counts = stats.own(snapshot);
        for (NodeStats count : counts) {
            writer.stats(count);
            progress.accept(++done);
        }
        return done;
    }

    /** The document as one value, for a client that asked for it. */
    public StateDocument document() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writeTo(bytes, done -> {});
        return StateDocument.of(bytes.toByteArray());
    }
}
