package dev.skep.simulation;

import static dev.skep.agents.AgentTables.USERS;

import dev.skep.directory.HostTable;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.simulation.MemoryState.Entry;
import dev.skep.store.feed.FeedClock;
import dev.skep.sync.NamedTable;
import dev.skep.sync.QuarantinedRow;
import dev.skep.sync.QuarantinedRow.Reason;
import dev.skep.sync.RetentionFloors;
import dev.skep.sync.SyncPeer;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Changes to the database in memory. */
final class MemoryWriting extends MemoryReading implements SyncStore.Writing {
    MemoryWriting(MemoryStore db) {
        super(db);
    }

    private void setPos(long pos) {
        long before = state.pos;
        db.change(() -> state.pos = pos, () -> state.pos = before);
    }

    /** Takes consecutive stamps and returns the first. */
    long take(int count) {
        db.stamped();
        setPos(state.pos + count);
        return state.pos - count + 1;
    }

    /** Puts a row where its key says and, with a place, into the feed. */
    void set(Entry version) {
        Entry entry = version.storedAt(state.retentionClockState.at());
        Map<String, Entry> table = state.table(entry.table().name());
        Entry before = table.get(entry.key());
        if (before != null && before.feed() != 0) {
            db.remove(state.feed, before.feed());
        }
        db.put(table, entry.key(), entry);
        if (entry.feed() != 0) {
            db.put(state.feed, entry.feed(), entry);
        }
    }

    void drop(Entry entry) {
        db.remove(state.table(entry.table().name()), entry.key());
        if (entry.feed() != 0) {
            db.remove(state.feed, entry.feed());
        }
    }

    @Override
    public long openEpoch(long above) {
        long open = Position.epoch(state.pos);
        if (open > 0) {
            db.put(state.epochs, open, Position.n(state.pos));
        }
        long epoch = FeedClock.nextEpoch(Math.max(open, above), db.clock, world.random);
        setPos(Position.of(epoch, 0));
        return epoch;
    }

    @Override
    public int apply(OrgId org, List<TableRows> rows) {
        return new MemoryUpsert(this).apply(org, rows);
    }

    @Override
    public void stampUnfed(OrgId org, HostId self) {
        for (SyncTable table : db.schema().tables().all()) {
            restamp(table, self, entry -> entry.feed() == 0);
        }
    }

    @Override
    public void restampAll(OrgId org, HostId self, long epoch) {
        if (!world.has(Rule.HEAL_STAMPS_ANEW)) {
            stampUnfed(org, self);
            return;
        }
        for (SyncTable table : db.schema().tables().all()) {
            if (!table.name().equals(HostTable.HOSTS.name())) {
                restamp(table, self, _ -> true);
            }
        }
        Entry own = state.table(HostTable.HOSTS.name()).get(self.value());
        if (own != null) {
            change(own, HostTable.HOSTS, "healed_epoch", epoch);
        }
    }

    void restamp(SyncTable table, HostId self, Predicate<Entry> which) {
        state.table(table.name()).values().stream()
                .filter(entry -> entry.row().hostId().equals(self.value()))
                .filter(which)
                .sorted(Comparator.comparingLong(entry -> entry.row().ver()))
                .toList()
                .forEach(entry -> stamped(entry, entry.row().values(), entry.row().gen()));
    }

    void change(Entry entry, SyncTable table, String column, Object value) {
        stamped(entry, Samples.with(table, entry.row(), column, value), entry.row().gen());
    }

    private void stamped(Entry entry, @Nullable Object[] values, long gen) {
        stamped(entry, values, gen, entry.row().hostId());
    }

    private void stamped(Entry entry, @Nullable Object[] values, long gen, String owner) {
        long stamp = take(1);
        SyncRow row = new SyncRow(owner, gen, stamp, values, entry.row().extra());
        set(new Entry(entry.table(), entry.key(), entry.org(), row, stamp));
    }

    @Override
    public SyncPeer openLink(String host) {
        return peers.open(host);
    }

    @Override
    public boolean advance(String host, long linkNo, long since, long head) {
        return peers.advance(host, linkNo, since, head);
    }

    @Override
    public boolean healed(String host, long linkNo, long head, Instant at) {
        boolean healed = peers.healed(host, linkNo, head, at);
        if (healed) {
            db.remove(state.asideFrom, host);
        }
        return healed;
    }

    @Override
    public void store(String hub, long cursor, long hubHead, long pulled) {
        peers.put(hub, new SyncPeer(cursor, hubHead, pulled, 0, 0, null));
    }

    @Override
    public void forgetPulled() {
        peers.forgetPulled();
    }

    @Override
    public void mergeSeen(Map<String, Map<Long, Long>> seen) {
        seen.forEach(
                (host, epochs) -> {
                    Map<Long, Long> merged = new HashMap<>(state.seen.getOrDefault(host, Map.of()));
                    epochs.forEach((epoch, n) -> merged.merge(epoch, n, Math::max));
                    db.put(state.seen, host, merged);
                });
    }

    @Override
    public void quarantine(OrgId org, List<QuarantinedRow> rows) {
        rows.forEach(this::setAside);
    }

    private void setAside(QuarantinedRow row) {
        if (!world.has(Rule.QUARANTINE)) {
            throw new SkepException(ErrorCode.DISK_FULL, "no quarantine");
        }
        String key = row.table() + "/" + row.key() + "/" + row.reason() + "/" + row.hostId();
        db.put(state.quarantinedRow, key, row);
    }

    @Override
    public void giveUp(OrgId org, SyncTable table, SyncRow like) {
        Entry stored = state.table(table.name()).get(MemoryState.key(table, like));
        if (stored != null) {
            setAside(aside(stored, Reason.TAKEN_OVER));
        }
        if (world.has(Rule.GIVING_UP_STAMPS)) {
            take(1);
        }
    }

    @Override
    public void holdFrom(String host, long stamp) {
        long before = state.asideFrom.getOrDefault(host, 0L);
        if (before == 0 || before > stamp) {
            db.put(state.asideFrom, host, stamp);
        }
    }

    /** Without the row's text, which costs time and changes nothing here. */
    private static QuarantinedRow aside(Entry entry, Reason reason) {
        return new QuarantinedRow(
                entry.row().hostId(), entry.table().name(), entry.key(), reason, 0, null);
    }

    @Override
    public void quarantineLost(OrgId org, String host, long healedEpoch) {
        if (!world.has(Rule.HEALED_EPOCH)) {
            return;
        }
        RetentionFloors floors = floors(host);
        for (SyncTable table : db.schema().tables().all()) {
            for (Entry entry : List.copyOf(state.table(table.name()).values())) {
                if (entry.row().hostId().equals(host)
                        && entry.row().gen() == 0
                        && entry.row().ver() > floors.of(table)
                        && Position.epoch(entry.row().ver()) < healedEpoch) {
                    drop(entry);
                    setAside(aside(entry, Reason.LOST_TIMELINE));
                }
            }
        }
    }

    @Override
    public Set<HostId> noteHosts(OrgId org, List<SyncRow> agents) {
        Set<HostId> awaited = new HashSet<>();
        for (SyncRow agent : agents) {
            for (HostId host : db.schema().hostsOf(agent)) {
                if (note(org, host, agent.text(0))) {
                    awaited.add(host);
                }
            }
        }
        return awaited;
    }

    private boolean note(OrgId org, HostId host, String agent) {
        String pair = pair(org, host, agent);
        boolean awaited = Boolean.FALSE.equals(state.agentHosts.get(pair));
        db.put(state.agentHosts, pair, true);
        return awaited;
    }

    @Override
    public void awaitAgents(OrgId org, HostId host, Set<String> agents) {
        agents.forEach(agent -> db.put(state.agentHosts, pair(org, host, agent), false));
    }

    @Override
    public void awaitForwards(String hub, long from, OrgId org, HostId host, Set<String> agents) {
        for (String agent : agents) {
            String key = hub + "/" + pair(org, host, agent);
            db.put(state.awaited, key, Math.min(from, state.awaited.getOrDefault(key, from)));
        }
    }

    @Override
    public void askAgain(String hub, long from) {
        for (String key : knownNow(hub)) {
            db.remove(state.awaited, key);
            String host = key.split("/", -1)[2];
            String agent = key.split("/", -1)[3];
            forget(
                    row ->
                            row.reason() == Reason.AGENT_NOT_OF_HOST
                                    && row.hostId().equals(host)
                                    && String.valueOf(row.json()).contains(agent));
        }
        SyncPeer peer = peers.of(hub);
        store(hub, Math.min(from, peer.cursor()), peer.head(), peer.pulled());
    }

    @Override
    public void restartPull(OrgId org, Set<HostId> hosts) {
        for (HostId host : hosts) {
            forget(
                    row ->
                            row.reason() == Reason.AGENT_NOT_OF_HOST
                                    && row.hostId().equals(host.value()));
            peers.restart(host.value());
            db.remove(state.asideFrom, host.value());
        }
    }

    private int forget(Predicate<QuarantinedRow> which) {
        List<String> keys =
                state.quarantinedRow.entrySet().stream()
                        .filter(each -> which.test(each.getValue()))
                        .map(Map.Entry::getKey)
                        .toList();
        keys.forEach(key -> db.remove(state.quarantinedRow, key));
        return keys.size();
    }

    @Override
    public void settleNames(OrgId org, SyncTable table, List<SyncRow> rows) {
        db.schema().named(table.name()).ifPresent(named -> names.settle(org, named, rows));
    }

    @Override
    public void markName(OrgId org, HostId self, NamedTable named, String id, boolean taken) {
        Entry entry = state.table(named.table().name()).get(id);
        if (entry != null
                && entry.row().hostId().equals(self.value())
                && named.isMarked(entry.row()) != taken) {
            change(entry, named.table(), NamedTable.CONFLICT, taken ? 1L : 0L);
        }
    }

    @Override
    public void grant(OrgId org, HostId to, String userId, long gen) {
        grants.add(org, to, userId, gen);
        boolean awaited = note(org, to, userId);
        int waiting =
                forget(
                        row ->
                                row.reason() == Reason.TAKEOVER_UNCONFIRMED
                                        && row.hostId().equals(to.value())
                                        && row.key().endsWith(userId));
        if (waiting > 0 || awaited) {
            restartPull(org, Set.of(to));
        }
    }

    @Override
    public void adopt(OrgId org, HostId self, String userId, long gen) {
        Entry agent = state.table(db.schema().agents().name()).get(userId);
        if (agent != null && agent.row().gen() < gen) {
            String former =
                    agent.row().value(USERS.indexOf("former_hosts")) instanceof String text
                            ? text
                            : null;
            stamped(
                    agent,
                    Samples.with(
                            USERS,
                            agent.row(),
                            "former_hosts",
                            SyncSchema.formerHosts(former, agent.row().hostId())),
                    gen,
                    self.value());
        }
    }

    /** No agent runs here, so this is never read. */
    @Override
    public void recordOrigin(OrgId org, HostId self, String userId, String hubAddress) {}
}
