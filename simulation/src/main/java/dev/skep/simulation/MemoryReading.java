package dev.skep.simulation;

import dev.skep.directory.HostTable;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.simulation.MemoryState.Entry;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.store.feed.RowsByOwner;
import dev.skep.sync.NameConflict;
import dev.skep.sync.NamedTable;
import dev.skep.sync.QuarantinedRow;
import dev.skep.sync.RetentionFloors;
import dev.skep.sync.SyncPeer;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.wire.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Questions to the database in memory. */
class MemoryReading implements SyncStore.Reading {
    final MemoryStore db;
    final MemoryState state;
    final World world;
    final MemoryPeers peers;
    final MemoryNames names;
    final MemoryGrants grants;

    MemoryReading(MemoryStore db) {
        this.db = db;
        this.state = db.state();
        this.world = db.world;
        this.peers = new MemoryPeers(db);
        this.names = new MemoryNames(db);
        this.grants = new MemoryGrants(db);
    }

    @Override
    public long now() {
        return state.pos;
    }

    @Override
    public boolean isKnown(long position) {
        if (position == Position.NONE) {
            return true;
        }
        if (Position.epoch(position) == Position.epoch(state.pos)) {
            return position <= state.pos;
        }
        Long end = state.epochs.get(Position.epoch(position));
        return end != null && Position.n(position) <= end;
    }

    @Override
    public FeedPage page(FeedScope scope, long after, FeedPage.Limits limits) {
        if (!world.has(Rule.MERGED_STREAM)) {
            return pagePerTable(scope, after, limits);
        }
        Map<SyncTable, List<SyncRow>> rows = new LinkedHashMap<>();
        int count = 0;
        long upto = after;
        for (Entry entry : state.feed.tailMap(after, false).values()) {
            if (!isIn(scope, entry)) {
                continue;
            }
            if (count == limits.rows()) {
                return page(rows, upto, true);
            }
            rows.computeIfAbsent(entry.table(), _ -> new ArrayList<>()).add(entry.row());
            upto = entry.feed();
            count++;
        }
        return page(rows, Math.max(after, state.pos), false);
    }

    /** The seed taken literally: so many rows of each table, and the largest position of them. */
    private FeedPage pagePerTable(FeedScope scope, long after, FeedPage.Limits limits) {
        Map<SyncTable, List<SyncRow>> rows = new LinkedHashMap<>();
        boolean more = false;
        long upto = after;
        for (Entry entry : state.feed.tailMap(after, false).values()) {
            if (isIn(scope, entry)) {
                List<SyncRow> of = rows.computeIfAbsent(entry.table(), _ -> new ArrayList<>());
                if (of.size() == limits.rows()) {
                    more = true;
                } else {
                    of.add(entry.row());
                    upto = Math.max(upto, entry.feed());
                }
            }
        }
        return page(rows, more ? upto : Math.max(after, state.pos), more);
    }

    private FeedPage page(Map<SyncTable, List<SyncRow>> rows, long upto, boolean hasMore) {
        List<TableRows> tables = new ArrayList<>(rows.size());
        rows.forEach((table, of) -> tables.add(new TableRows(table, of)));
        return new FeedPage(tables, upto, state.pos, hasMore);
    }

    private boolean isIn(FeedScope scope, Entry entry) {
        if (world.has(Rule.ORG_SCOPE) && !entry.org().equals(scope.org().value())) {
            return false;
        }
        return switch (scope) {
            case FeedScope.OwnedBy(_, var owner) -> entry.row().hostId().equals(owner.value());
            case FeedScope.ForwardedTo(_, var reader) ->
                    entry.table().isForwarded() && !entry.row().hostId().equals(reader.value());
            case FeedScope.Shared _ -> entry.table().isForwarded();
        };
    }

    @Override
    public RowsByOwner.OwnerPage held(
            OrgId org, HostId owner, RowsByOwner.KeyCursor from, FeedPage.Limits limits) {
        List<SyncTable> all = db.schema().tables().all();
        List<TableRows> read = new ArrayList<>();
        RowsByOwner.KeyCursor at = from;
        while (at.table() < all.size() && read.isEmpty()) {
            SyncTable table = all.get(at.table());
            String behind = at.key().isEmpty() ? "" : (String) at.key().getFirst();
            List<Entry> rows =
                    state.table(table.name()).values().stream()
                            .filter(e -> e.org().equals(org.value()))
                            .filter(e -> e.row().hostId().equals(owner.value()))
                            .filter(e -> e.key().compareTo(behind) > 0)
                            .sorted(Comparator.comparing(Entry::key))
                            .limit(limits.rows())
                            .toList();
            if (rows.isEmpty()) {
                at = new RowsByOwner.KeyCursor(at.table() + 1, List.of());
            } else {
                read.add(new TableRows(table, rows.stream().map(Entry::row).toList()));
                at = new RowsByOwner.KeyCursor(at.table(), List.of(rows.getLast().key()));
            }
        }
        return new RowsByOwner.OwnerPage(read, at, at.table() < all.size());
    }

    @Override
    public SyncPeer peer(String id) {
        return peers.of(id);
    }

    @Override
    public Map<Long, Long> seen(String host) {
        // A runner asks about itself only: what it has answered before.
        boolean forgotten = !db.forwards && !world.has(Rule.SEEN_ANSWERED_ONCE);
        return forgotten ? Map.of() : Map.copyOf(state.seen.getOrDefault(host, Map.of()));
    }

    @Override
    public Map<String, Map<Long, Long>> seenExcept(String host) {
        Map<String, Map<Long, Long>> others = new HashMap<>();
        state.seen.forEach(
                (other, epochs) -> {
                    if (!other.equals(host)) {
                        others.put(other, Map.copyOf(epochs));
                    }
                });
        return others;
    }

    @Override
    public Map<List<Object>, ReplicaWriter.Owner> owners(SyncTable table, List<SyncRow> rows) {
        Map<List<Object>, ReplicaWriter.Owner> owners = new HashMap<>();
        for (SyncRow row : rows) {
            Entry stored = state.table(table.name()).get(MemoryState.key(table, row));
            if (stored != null) {
                owners.put(
                        table.keyOf(row),
                        new ReplicaWriter.Owner(
                                new OrgId(stored.org()),
                                new HostId(stored.row().hostId()),
                                stored.row().gen()));
            }
        }
        return owners;
    }

    @Override
    public boolean holds(OrgId org, SyncTable table, String id) {
        Entry stored = state.table(table.name()).get(id);
        return stored != null && stored.org().equals(org.value());
    }

    @Override
    public long healedEpoch(String host) {
        Entry stored = state.table(HostTable.HOSTS.name()).get(host);
        return stored == null || !world.has(Rule.HEALED_EPOCH)
                ? 0
                : SyncSchema.healedEpoch(HostTable.HOSTS, stored.row());
    }

    @Override
    public List<Message.Grant> pendingGrants(OrgId org, HostId host) {
        return grants.pending(org, host);
    }

    @Override
    public long generation(OrgId org, String userId) {
        return grants.generation(userId);
    }

    @Override
    public boolean isGranted(OrgId org, HostId host, String userId, long gen) {
        return !world.has(Rule.GRANT_NEEDED) || grants.contains(org, host, userId, gen);
    }

    @Override
    public Set<String> agentsOf(OrgId org, HostId host, Set<String> agents) {
        return agents.stream()
                .filter(
                        agent ->
                                !world.has(
                                                db.forwards
                                                        ? Rule.AGENT_OF_HOST
                                                        : Rule.FORWARDED_AGENT_OF_HOST)
                                        || state.agentHosts.getOrDefault(
                                                pair(org, host, agent), false))
                .collect(Collectors.toSet());
    }

    @Override
    public boolean isAwaited(OrgId org, String userId) {
        return state.agentHosts.entrySet().stream()
                .anyMatch(
                        pair ->
                                !pair.getValue()
                                        && pair.getKey().startsWith(org + "/")
                                        && pair.getKey().endsWith("/" + userId));
    }

    static String pair(OrgId org, HostId host, String agent) {
        return org + "/" + host + "/" + agent;
    }

    @Override
    public OptionalLong askAgainFrom(String hub) {
        return world.has(Rule.ASKED_AGAIN)
                ? knownNow(hub).stream().mapToLong(state.awaited::get).min()
                : OptionalLong.empty();
    }

    /** The keys of what waits for agents that are known by now. */
    List<String> knownNow(String hub) {
        return state.awaited.keySet().stream()
                .filter(key -> key.startsWith(hub + "/"))
                .filter(
                        key ->
                                state.agentHosts.getOrDefault(
                                        key.substring(hub.length() + 1), false))
                .toList();
    }

    @Override
    public List<SyncRow> ownAgents(OrgId org, HostId self, Set<String> agents, long after) {
        return state.table(db.schema().agents().name()).values().stream()
                .filter(entry -> agents.contains(entry.key()))
                .filter(entry -> entry.row().hostId().equals(self.value()))
                .filter(entry -> entry.feed() > after)
                .sorted(Comparator.comparingLong(Entry::feed))
                .map(Entry::row)
                .toList();
    }

    @Override
    public List<NameConflict> nameConflicts(OrgId org, HostId host) {
        return names.conflicts(org, host);
    }

    @Override
    public List<String> aloneWithName(OrgId org, HostId self, NamedTable named) {
        return names.alone(self, named);
    }

    @Override
    public List<Message.Reject> rejected(OrgId org, HostId host) {
        return state.quarantinedRow.values().stream()
                .filter(row -> row.hostId().equals(host.value()))
                .map(QuarantinedRow::reject)
                .toList();
    }

    @Override
    public RetentionFloors floors(String host) {
        Entry stored = state.table(HostTable.HOSTS.name()).get(host);
        return stored == null || !world.has(Rule.FLOORS)
                ? RetentionFloors.NONE
                : SyncSchema.floors(stored.row());
    }

    @Override
    public long quarantinedFrom(String host) {
        return state.asideFrom.getOrDefault(host, 0L);
    }
}
