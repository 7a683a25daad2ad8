package dev.skep.sync.sql;

import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostStore;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.sync.NamedTable;
import dev.skep.sync.QuarantinedRow;
import dev.skep.sync.RetentionFloors;
import dev.skep.sync.SyncPeer;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changes in a transaction. */
final class SqlWriting extends SqlReading implements SyncStore.Writing {
    private final Transaction transaction;
    private final SqlSyncStore db;
    private final Instant now;

    SqlWriting(Transaction transaction, SqlSyncStore db, Instant now) {
        super(transaction, db);
        this.transaction = transaction;
        this.db = db;
        this.now = now;
    }

    @Override
    public long openEpoch(long above) {
        return db.clock.openEpoch(transaction, above);
    }

    @Override
    public int apply(OrgId org, List<TableRows> rows) {
        int applied = db.replicaWriter.apply(transaction, org, rows);
        if (applied > 0) {
            transaction.afterCommit(() -> notifyReceived(org, rows));
        }
        return applied;
    }

    private void notifyReceived(OrgId org, List<TableRows> pages) {
        Map<String, Set<String>> tables = new HashMap<>();
        for (TableRows page : pages) {
            for (SyncRow row : page.rows()) {
                tables.computeIfAbsent(row.hostId(), _ -> new HashSet<>()).add(page.table().name());
            }
        }
        tables.forEach(
                (owner, names) ->
                        db.eventBus.publish(
                                new FleetEvent.RowsReceived(org, now, new HostId(owner), names)));
    }

    @Override
    public void stampUnfed(OrgId org, HostId self) {
        OwnRowWriter own = own(org, self);
        db.schema.tables().all().forEach(t -> own.restamp(transaction, t, "feed IS NULL"));
    }

    @Override
    public void restampAll(OrgId org, HostId self, long epoch) {
        OwnRowWriter own = own(org, self);
        for (SyncTable table : db.schema.tables().all()) {
            if (!table.name().equals(HostTable.HOSTS.name())) {
                own.restamp(transaction, table, "1 = 1");
            }
        }
        // Last, so that a peer that has it also has every row that still exists.
        HostStore.setHealedEpoch(transaction, own, epoch, now);
    }

    private OwnRowWriter own(OrgId org, HostId self) {
        return new OwnRowWriter(db.schema.tables(), db.clock, org, self);
    }

    @Override
    public SyncPeer openLink(String host) {
        if (db.peers.peer(transaction, host).linkNo() == 0
                && HostStore.isUnfed(transaction, host)) {
            // From now on it sends its rows itself, from the start.
            db.schema.tables().all().forEach(t -> db.held.removeUnfed(transaction, t, host));
        }
        db.peers.openLink(transaction, host, now);
        return db.peers.peer(transaction, host);
    }

    @Override
    public boolean advance(String host, long linkNo, long since, long head) {
        return db.peers.advance(transaction, host, linkNo, since, head, now);
    }

    @Override
    public boolean healed(String host, long linkNo, long head, Instant at) {
        SyncPeer healed = db.peers.peer(transaction, host).healedAt(at, head);
        return db.peers.healed(transaction, host, linkNo, healed, now);
    }

    @Override
    public void store(String hub, long cursor, long hubHead, long pulled) {
        db.peers.store(transaction, hub, cursor, hubHead, pulled, now);
    }

    @Override
    public void forgetPulled() {
        db.peers.forgetPulled(transaction);
    }

    @Override
    public void mergeSeen(Map<String, Map<Long, Long>> seen) {
        db.seen.merge(transaction, seen);
    }

    @Override
    public void quarantine(OrgId org, List<QuarantinedRow> rows) {
        db.quarantine.add(transaction, org, rows, now);
    }

    @Override
    public void holdFrom(String host, long stamp) {
        db.peers.holdFrom(transaction, host, stamp);
    }

    @Override
    public void giveUp(OrgId org, SyncTable table, SyncRow like) {
        db.held
                .stored(transaction, org, table, like)
                .map(row -> QuarantinedRow.of(table, row, QuarantinedRow.Reason.TAKEN_OVER))
                .ifPresent(row -> quarantine(org, List.of(row)));
        db.clock.take(transaction, 1);
    }

    @Override
    public void quarantineLost(OrgId org, String host, long healedEpoch) {
        RetentionFloors floors = floors(host);
        for (SyncTable table : db.schema.tables().all()) {
            List<SyncRow> lost =
                    db.held.removeBetween(
                            transaction,
                            org,
                            table,
                            host,
                            floors.of(table),
                            Position.of(healedEpoch, 0));
            quarantine(
                    org,
                    lost.stream()
                            .map(
                                    row ->
                                            QuarantinedRow.of(
                                                    table,
                                                    row,
                                                    QuarantinedRow.Reason.LOST_TIMELINE))
                            .toList());
        }
    }

    @Override
    public Set<HostId> noteHosts(OrgId org, List<SyncRow> agents) {
        Set<HostId> awaited = new HashSet<>();
        for (SyncRow agent : agents) {
            String id = agent.text(db.schema.agents().indexOf("id"));
            for (HostId host : db.schema.hostsOf(agent)) {
                if (db.agentHosts.note(transaction, org, host, id)) {
                    awaited.add(host);
                }
            }
        }
        return awaited;
    }

    @Override
    public void awaitAgents(OrgId org, HostId host, Set<String> agents) {
        db.agentHosts.await(transaction, org, host, agents);
    }

    @Override
    public void awaitForwards(String hub, long from, OrgId org, HostId host, Set<String> agents) {
        db.awaitedAgents.await(transaction, hub, from, org, host, agents);
    }

    @Override
    public void askAgain(String hub, long from) {
        SyncPeer peer = db.peers.peer(transaction, hub);
        db.awaitedAgents.forgetKnown(transaction, hub);
        db.peers.store(
                transaction, hub, Math.min(from, peer.cursor()), peer.head(), peer.pulled(), now);
    }

    @Override
    public void restartPull(OrgId org, Set<HostId> hosts) {
        for (HostId host : hosts) {
            db.quarantine.removeAwaiting(transaction, org, host);
            db.peers.restart(transaction, host.value(), now);
        }
    }

    @Override
    public void settleNames(OrgId org, SyncTable table, List<SyncRow> rows) {
        db.schema
                .named(table.name())
                .ifPresent(named -> db.names.settle(transaction, org, named, rows));
    }

    @Override
    public void markName(OrgId org, HostId self, NamedTable named, String id, boolean taken) {
        int changed =
                transaction.update(
                        """
                        UPDATE %s SET name_conflict = ?, updated_at = ?
                        WHERE org_id = ? AND host_id = ? AND id = ? AND name_conflict <> ?
                        """
                                .formatted(named.table().name()),
                        taken,
                        now,
                        org.value(),
                        self.value(),
                        id,
                        taken);
        if (changed > 0) {
            own(org, self).restamp(transaction, named.table(), "id = ?", id);
        }
    }

    @Override
    public void grant(OrgId org, HostId to, String userId, long gen) {
        db.grants.grant(transaction, org, to, userId, gen, now);
        boolean awaited = db.agentHosts.note(transaction, org, to, userId);
        if (db.quarantine.removeUnconfirmed(transaction, org, to, userId) > 0 || awaited) {
            restartPull(org, Set.of(to));
        }
    }

    @Override
    public void adopt(OrgId org, HostId self, String userId, long gen) {
        SyncTable agents = db.schema.agents();
        int adopted =
                transaction.update(
                        """
                        UPDATE %s SET host_id = ?, gen = ?, updated_at = ?, former_hosts = ?
                        WHERE org_id = ? AND id = ? AND gen < ?
                        """
                                .formatted(agents.name()),
                        self.value(),
                        gen,
                        now,
                        formerHosts(org, agents, userId),
                        org.value(),
                        userId,
                        gen);
        if (adopted > 0) {
            own(org, self).restamp(transaction, agents, "id = ?", userId);
        }
    }

    private @Nullable String formerHosts(OrgId org, SyncTable agents, String userId) {
        return transaction
                .first(
                        "SELECT host_id, former_hosts FROM %s WHERE org_id = ? AND id = ?"
                                .formatted(agents.name()),
                        row ->
                                SyncSchema.formerHosts(
                                        row.textOrNull("former_hosts"), row.text("host_id")),
                        org.value(),
                        userId)
                .orElse(null);
    }

    @Override
    public void recordOrigin(OrgId org, HostId self, String userId, String hubAddress) {
        boolean own =
                transaction
                        .first(
                                "SELECT 1 FROM %s WHERE org_id = ? AND id = ? AND host_id = ?"
                                        .formatted(db.schema.agents().name()),
                                row -> true,
                                org.value(),
                                userId,
                                self.value())
                        .isPresent();
        if (!own) {
            db.origins.remember(transaction, org, userId, hubAddress, now);
        }
    }
}
