package dev.skep.registry.table;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Timestamps;
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
import org.jspecify.annotations.Nullable;

/** The table {@code nodes}: this host's rows are written here, other hosts' are only read. */
public final class NodeStore {
    private static final String COLUMNS =
            "id, machine, cwd, port, pid, status, registered_at, last_seen_at, offline_since, reconnects, host_id";

    private final OwnRowWriter ownRowWriter;

    public NodeStore(OwnRowWriter ownRowWriter) {
        this.ownRowWriter = ownRowWriter;
    }

    /** The nodes of this host that were not removed. */
    public List<Node> own(Snapshot snapshot) {
        return snapshot.list(
                "SELECT %s FROM nodes WHERE host_id = ? AND org_id = ? AND removed_at IS NULL ORDER BY registered_at"
                        .formatted(COLUMNS),
                this::readOwn,
                ownRowWriter.self().value(),
                ownRowWriter.org().value());
    }

    /** The same, with how long each has been as it is. */
    public List<StoredNode> ownWithAges(Snapshot snapshot) {
        return snapshot.list(
                "SELECT %s, stored_at FROM nodes WHERE host_id = ? AND org_id = ? AND removed_at IS NULL ORDER BY registered_at"
                        .formatted(COLUMNS),
                row -> new StoredNode(readOwn(row), row.number(12)),
                ownRowWriter.self().value(),
                ownRowWriter.org().value());
    }

    /** The nodes of one other host that were not removed. */
    public List<Node> of(Snapshot snapshot, HostId host) {
        return snapshot.list(
                "SELECT %s FROM nodes WHERE host_id = ? AND org_id = ? AND removed_at IS NULL"
                        .formatted(COLUMNS),
                row -> read(host, row),
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
                this::readOwn,
                ownRowWriter.self().value(),
                id,
                ownRowWriter.org().value());
    }

    /** Writes nodes as they are now, or, with an instant, as removed then. */
    public void putAll(
            Transaction transaction, Map<Node, Optional<Instant>> removedAt, Instant now) {
        List<@Nullable Object[]> values = new ArrayList<>(removedAt.size());
        removedAt.forEach((node, removed) -> values.add(values(node, removed.orElse(null), now)));
        ownRowWriter.putAll(transaction, RegistryTables.NODES, 0, values);
    }

    public OrgId org() {
        return ownRowWriter.org();
    }

    private static @Nullable Object[] values(Node node, @Nullable Instant removed, Instant now) {
        return new @Nullable Object[] {
            node.id(),
            node.machine(),
            node.cwd(),
            (long) node.port(),
            node.pid(),
            node.status().stored(),
            Timestamps.format(node.registeredAt()),
            Timestamps.format(node.lastSeenAt()),
            formatted(node.offlineSince()),
            node.reconnects(),
            formatted(removed),
            Timestamps.format(now),
            Timestamps.format(now)
        };
    }

    private static @Nullable String formatted(@Nullable Instant instant) {
        return instant == null ? null : Timestamps.format(instant);
    }

    /** Of {@link #COLUMNS}, by position: a start may read thousands, and knows whose they are. */
    private static Node read(HostId host, ResultRow row) {
        return new Node(
                host,
                row.text(1),
                row.text(2),
                row.text(3),
                (int) row.number(4),
                row.numberOrNull(5),
                Node.Status.of(row.text(6)),
                row.time(7),
                row.time(8),
                row.timeOrNull(9),
                row.number(10));
    }

    private static Node read(ResultRow row) {
        return read(new HostId(row.text(11)), row);
    }

    private Node readOwn(ResultRow row) {
        return read(ownRowWriter.self(), row);
    }
}
