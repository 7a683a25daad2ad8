package dev.skep.sync.sql;

import dev.skep.directory.host.HostStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Snapshot;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.store.feed.RowsByOwner;
import dev.skep.sync.NameConflict;
import dev.skep.sync.NamedTable;
import dev.skep.sync.RetentionFloors;
import dev.skep.sync.SyncPeer;
import dev.skep.sync.SyncStore;
import dev.skep.wire.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Questions to a snapshot. */
class SqlReading implements SyncStore.Reading {
    private final Snapshot snapshot;
    private final SqlSyncStore db;

    SqlReading(Snapshot snapshot, SqlSyncStore db) {
        this.snapshot = snapshot;
        this.db = db;
    }

    @Override
    public long now() {
        return db.clock.now(snapshot);
    }

    @Override
    public boolean isKnown(long position) {
        return db.clock.isKnown(snapshot, position);
    }

    @Override
    public FeedPage page(FeedScope scope, long after, FeedPage.Limits limits) {
        return db.feed.page(snapshot, scope, after, limits);
    }

    @Override
    public RowsByOwner.OwnerPage held(
            OrgId org, HostId owner, RowsByOwner.KeyCursor from, FeedPage.Limits limits) {
        return db.held.part(snapshot, org, owner, from, limits);
    }

    @Override
    public SyncPeer peer(String id) {
        return db.peers.peer(snapshot, id);
    }

    @Override
    public Map<Long, Long> seen(String host) {
        return db.seen.of(snapshot, host);
    }

    @Override
    public Map<String, Map<Long, Long>> seenExcept(String host) {
        return db.seen.except(snapshot, host);
    }

    @Override
    public Map<List<Object>, ReplicaWriter.Owner> owners(SyncTable table, List<SyncRow> rows) {
        return db.replicaWriter.owners(snapshot, table, rows);
    }

    @Override
    public boolean holds(OrgId org, SyncTable table, String id) {
        return snapshot.first(
                        "SELECT 1 FROM %s WHERE org_id = ? AND id = ?".formatted(table.name()),
                        row -> true,
                        org.value(),
                        id)
                .orElse(false);
    }

    @Override
    public long healedEpoch(String host) {
        return HostStore.healedEpoch(snapshot, host);
    }

    @Override
    public List<Message.Grant> pendingGrants(OrgId org, HostId host) {
        return db.grants.pending(snapshot, org, host);
    }

    @Override
    public long generation(OrgId org, String userId) {
        return db.grants.generation(snapshot, org, userId);
    }

    @Override
    public boolean isGranted(OrgId org, HostId host, String userId, long gen) {
        return db.grants.isGranted(snapshot, org, host, userId, gen);
    }

    @Override
    public Set<String> agentsOf(OrgId org, HostId host, Set<String> agents) {
        return db.agentHosts.known(snapshot, org, host, agents);
    }

    @Override
    public boolean isAwaited(OrgId org, String userId) {
        return db.agentHosts.isAwaited(snapshot, org, userId);
    }

    @Override
    public OptionalLong askAgainFrom(String hub) {
        return db.awaitedAgents.knownFrom(snapshot, hub);
    }

    @Override
    public List<SyncRow> ownAgents(OrgId org, HostId self, Set<String> agents, long after) {
        return db.held.after(snapshot, org, self, db.schema.agents(), agents, after);
    }

    @Override
    public List<NameConflict> nameConflicts(OrgId org, HostId host) {
        List<NameConflict> conflicts = new ArrayList<>();
        for (NamedTable named : db.schema.named()) {
            conflicts.addAll(db.names.conflicts(snapshot, org, host, named));
        }
        return conflicts;
    }

    @Override
    public List<String> aloneWithName(OrgId org, HostId self, NamedTable table) {
        return db.names.alone(snapshot, org, self, table);
    }

    @Override
    public List<Message.Reject> rejected(OrgId org, HostId host) {
        return db.quarantine.rejected(snapshot, org, host);
    }

    @Override
    public RetentionFloors floors(String host) {
        return RetentionFloors.of(HostStore.floors(snapshot, host).orElse(null));
    }

    @Override
    public long quarantinedFrom(String host) {
        return db.peers.quarantinedFrom(snapshot, host);
    }
}
