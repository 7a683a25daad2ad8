package dev.skep.registry.table;

import static dev.skep.registry.table.RegistryTables.NODE_ROWS;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.StoredNode;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The table {@code nodes}: this host's rows are written here, other hosts' are only read. */
public final class NodeStore {
    private static final String COLUMNS = NODE_ROWS.columns();

    private final OwnRowWriter ownRowWriter;

    public NodeStore(OwnRowWriter ownRowWriter) {
        this.ownRowWriter = ownRowWriter;
    }

    /** The nodes of this host that were not removed. */
    public List<Node> own(Snapshot snapshot) {
        return snapshot.list(
                "SELECT %s FROM nodes WHERE host_id = ? AND org_id = ? AND removed_at IS NULL ORDER BY registered_at"
                        .formatted(COLUMNS),
                NodeStore::read,
                ownRowWriter.self().value(),
                ownRowWriter.org().value());
    }

    /** The same, with how long each has been as it is. */
    public List<StoredNode> ownWithAges(Snapshot snapshot) {
        return snapshot.list(
                "SELECT %s, stored_at FROM nodes WHERE host_id = ? AND org_id = ? AND removed_at IS NULL ORDER BY registered_at"
                        .formatted(COLUMNS),
                row -> new StoredNode(read(row), row.number("stored_at")),
                ownRowWriter.self().value(),
                ownRowWriter.org().value());
    }

    /** The nodes of one other host that were not removed. */
    public List<Node> of(Snapshot snapshot, HostId host) {
        return snapshot.list(
                "SELECT %s FROM nodes WHERE host_id = ? AND org_id = ? AND removed_at IS NULL"
                        .formatted(COLUMNS),
                NodeStore::read,
                host.value(),
                ownRowWriter.org().value());
    }

    /** The nodes of the org's other hosts that were not removed. */
    public Map<HostId, List<Node>> ofOthers(Snapshot snapshot) {
        return snapshot
                .list(
                        "SELECT %s FROM nodes WHERE org_id = ? AND host_id <> ? AND removed_at IS NULL"
                                .formatted(COLUMNS),
                        NodeStore::read,
                        ownRowWriter.org().value(),
                        ownRowWriter.self().value())
                .stream()
                .collect(Collectors.groupingBy(Node::host));
    }

    /** Hosts other than this one whose nodes were stored, and up to where that is known. */
    public record Moved(List<HostId> hosts, long position) {}

    public Moved movedSince(Snapshot snapshot, long position) {
        List<HostId> hosts = new ArrayList<>();
        long[] last = {position};
        snapshot.list(
                "SELECT host_id, MAX(feed) AS feed FROM nodes WHERE org_id = ? AND feed > ? GROUP BY host_id",
                row -> {
                    last[0] = Math.max(last[0], row.number("feed"));
                    HostId host = new HostId(row.text("host_id"));
                    return host.equals(ownRowWriter.self()) || hosts.add(host);
                },
                ownRowWriter.org().value(),
                position);
        return new Moved(hosts, last[0]);
    }

    /** A node of this host by id, also one that left the roster and whose history is kept. */
    public Optional<Node> find(Snapshot snapshot, String id) {
        return snapshot.first(
                "SELECT %s FROM nodes WHERE host_id = ? AND id = ? AND org_id = ?"
                        .formatted(COLUMNS),
                NodeStore::read,
                ownRowWriter.self().value(),
                id,
                ownRowWriter.org().value());
    }

    /** Writes nodes as they are now, or, with an instant, as removed then. */
    public void putAll(
            Transaction transaction, Map<Node, Optional<Instant>> removedAt, Instant now) {
        List<NodeRow> rows = new ArrayList<>(removedAt.size());
        removedAt.forEach((node, removed) -> rows.add(new NodeRow(node, removed.orElse(null))));
        ownRowWriter.putAll(transaction, NODE_ROWS, 0, rows, now);
    }

    public OrgId org() {
        return ownRowWriter.org();
    }

    private static Node read(ResultRow row) {
        return NODE_ROWS.read(row).node();
    }
}
