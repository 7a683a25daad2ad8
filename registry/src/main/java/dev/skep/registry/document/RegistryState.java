package dev.skep.registry.document;

import dev.skep.kernel.id.HostId;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.node.Visit;
import dev.skep.registry.service.Registry;
import dev.skep.registry.table.VisitStore;
import dev.skep.registry.wire.BadDocument;
import dev.skep.registry.wire.Document;
import dev.skep.registry.wire.StateReader;
import dev.skep.registry.wire.StateWriter;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.feed.OwnRows;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Takes a registry's whole state out as a document, and merges documents into it. */
public final class RegistryState {
    private static final int BATCH = 1_000;

    private final Registry registry;
    private final Database database;
    private final HostId self;
    private final VisitStore visits;
    private final InstantSource clock;

    public RegistryState(Registry registry, Database database, OwnRows rows, InstantSource clock) {
        this.registry = registry;
        this.database = database;
        this.self = rows.self();
        this.visits = new VisitStore(rows);
        this.clock = clock;
    }

    /** What came of an import. */
    public sealed interface Imported {
        /** How many nodes, lines of history and counts were new or newer. */
        record Done(int count) implements Imported {}

        /** Nothing was changed. */
        record Invalid(String problem) implements Imported {}
    }

    /** How many items an export will write, for showing progress. */
    public long size() {
        return registry.nodes().size() * 2L + database.read(visits::count);
    }

    /** Writes the document as it goes; {@code progress} hears how many items are written. */
    public void exportTo(OutputStream out, LongConsumer progress) {
        long done = 0;
        try (StateWriter writer = new StateWriter(out, clock.instant())) {
            for (Node node : registry.nodes()) {
                if (node.host().equals(self)) {
                    writer.node(node);
                    progress.accept(++done);
                }
            }
            writer.connections();
            done = exportVisits(writer, done, progress);
            writer.stats();
            for (NodeStats stats : registry.stats()) {
                writer.stats(stats);
                progress.accept(++done);
            }
        }
    }

    private long exportVisits(StateWriter writer, long before, LongConsumer progress) {
        return database.read(
                snapshot -> {
                    long done = before;
                    try (Snapshot.Cursor<Visit> all = visits.all(snapshot)) {
                        for (Visit visit = all.next(); visit != null; visit = all.next()) {
                            writer.visit(visit);
                            progress.accept(++done);
                        }
                    }
                    return done;
                });
    }

    /** The document as one value, for a client that asked for it. */
    public Document exported() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        exportTo(bytes, done -> {});
        return Document.of(bytes.toByteArray());
    }

    /** Merges a document that a client sent. */
    public Imported importFrom(Document document) {
        return importFrom(sink -> document.readInto(self, sink), done -> {});
    }

    /** Reads the source once to check it and once to merge it. */
    public Imported importFrom(StateSource source, LongConsumer progress) {
        Counted counted = new Counted();
        try {
            source.readInto(counted);
        } catch (BadDocument e) {
            return new Imported.Invalid(String.valueOf(e.getMessage()));
        }
        Merge merge = new Merge(progress);
        source.readInto(merge);
        merge.finish();
        return new Imported.Done(merge.changed);
    }

    /** Only proves that the document can be read to its end. */
    private static final class Counted implements StateReader.Sink {
        @Override
        public void node(Node node) {}

        @Override
        public void visit(Visit visit) {}

        @Override
        public void stats(NodeStats stats) {}
    }

    private final class Merge implements StateReader.Sink {
        private final LongConsumer progress;
        private final List<Node> nodes = new ArrayList<>();
        private final List<Visit> lines = new ArrayList<>();
        private final List<NodeStats> counts = new ArrayList<>();
        private int changed;
        private long done;

        Merge(LongConsumer progress) {
            this.progress = progress;
        }

        @Override
        public void node(Node node) {
            nodes.add(node);
            flushIfFull(nodes.size());
        }

        @Override
        public void visit(Visit visit) {
            lines.add(visit);
            flushIfFull(lines.size());
        }

        @Override
        public void stats(NodeStats stats) {
            counts.add(stats);
            flushIfFull(counts.size());
        }

        private void flushIfFull(int size) {
            progress.accept(++done);
            if (size >= BATCH) {
                finish();
            }
        }

        void finish() {
            changed += registry.adopt(nodes);
            changed += append(lines);
            changed += registry.count(counts);
            nodes.clear();
            lines.clear();
            counts.clear();
        }
    }

    private int append(List<Visit> lines) {
        if (lines.isEmpty()) {
            return 0;
        }
        return database.write(
                transaction -> {
                    Map<String, Visit> unknown = new LinkedHashMap<>();
                    for (Visit visit : lines) {
                        if (!visits.has(transaction, visit.id())) {
                            unknown.put(visit.id(), visit);
                        }
                    }
                    visits.append(transaction, List.copyOf(unknown.values()), clock.instant());
                    return unknown.size();
                });
    }
}
