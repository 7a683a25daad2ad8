package dev.skep.sync.runner;

import dev.skep.directory.HostTable;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.sync.RetentionFloors;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.wire.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a host that was restored from an old backup joins its own future again: it takes back the
 * rows its hubs hold, keeps the newer of each, and stamps all of them above everything that was
 * lost. Each step is a transaction that leaves a sound state; a crash starts the heal over.
 */
final class Healing {
    private static final Logger LOG = LoggerFactory.getLogger(Healing.class);

    private final Principal.Host self;
    private final HubConsent consent;
    private final SyncSchema schema;
    private final SyncStore store;
    private final ForeignAgentRows strangers;
    private boolean loggedImpossible;

    /** Agents this host did not have when the heal began: all of theirs is given back. */
    private final Set<String> givenBack = new HashSet<>();

    private boolean logged;

    Healing(Principal.Host self, HubConsent consent, SyncSchema schema, SyncStore store) {
        this.self = self;
        this.consent = consent;
        this.schema = schema;
        this.store = store;
        this.strangers = new ForeignAgentRows(self.org(), schema);
    }

    /** This host has asked for its rows; what it has of them is its own from here on. */
    void begin() {
        givenBack.clear();
    }

    /** Takes own rows back; true after the last page, when all rows have new stamps. */
    boolean onPage(Message.Heal heal) {
        return store.write(
                tx -> {
                    if (Position.epoch(tx.now()) <= Position.epoch(heal.head())) {
                        tx.openEpoch(Position.epoch(heal.head()));
                    }
                    List<TableRows> own = own(tx, heal.rows().tables());
                    tx.apply(self.org(), own);
                    // They name hosts that had its agents before.
                    own.forEach(part -> strangers.note(tx, part));
                    if (heal.hasMore()) {
                        tx.stampUnfed(self.org(), self.id());
                    } else {
                        stampAnew(tx, Position.epoch(heal.head()));
                    }
                    return !heal.hasMore();
                });
    }

    /** Others hold rows of a timeline this host has lost, and no hub has them to give back. */
    void onSeen(Map<Long, Long> reported) {
        Map<Long, Long> seen = new HashMap<>(reported);
        if (seen.entrySet().removeIf(e -> !Position.isCredible(e.getKey(), e.getValue()))
                && !loggedImpossible) {
            loggedImpossible = true;
            LOG.warn(
                    "ignored {} impossible positions from hub={}",
                    reported.size() - seen.size(),
                    consent.address());
        }
        if (seen.isEmpty() || store.read(db -> isAnswered(db, seen))) {
            return;
        }
        store.write(
                tx -> {
                    stampAnew(tx, Collections.max(seen.keySet()));
                    tx.mergeSeen(Map.of(self.id().value(), seen));
                    return seen.size();
                });
    }

    private boolean isAnswered(SyncStore.Reading db, Map<Long, Long> seen) {
        Map<Long, Long> answered = db.seen(self.id().value());
        return seen.entrySet().stream()
                .allMatch(
                        e ->
                                db.isKnown(Position.of(e.getKey(), e.getValue()))
                                        || e.getValue() <= answered.getOrDefault(e.getKey(), -1L));
    }

    private void stampAnew(SyncStore.Writing tx, long above) {
        long epoch = tx.openEpoch(above);
        tx.restampAll(self.org(), self.id(), epoch);
        tx.forgetPulled();
    }

    /**
     * The own rows among these, without those that this host purged by age. Rows that a lost
     * timeline purged come back and age again, because they cannot be identified; so the floors of
     * that timeline, which a hub returns with the host's row, do not apply to this one.
     */
    private List<TableRows> own(SyncStore.Writing tx, List<TableRows> tables) {
        RetentionFloors floors = tx.floors(self.id().value());
        List<TableRows> own = new ArrayList<>();
        for (TableRows part : tables) {
            long floor = floors.of(part.table());
            List<SyncRow> rows =
                    part.rows().stream()
                            .filter(row -> row.hostId().equals(self.id().value()))
                            .filter(row -> row.ver() > floor || !tx.isKnown(row.ver()))
                            .map(row -> SyncSchema.withFloors(part.table(), row, floors))
                            .toList();
            own.add(new TableRows(part.table(), mayBeTaken(tx, part.table(), rows)));
        }
        return own;
    }

    /**
     * A hub can forge rows of a host. So what it gives back never replaces rows that are written
     * once, costs and conversations above all, nor the host's own row, which has its key and is
     * written at each start.
     */
    private List<SyncRow> mayBeTaken(SyncStore.Writing tx, SyncTable table, List<SyncRow> rows) {
        if (table.name().equals(schema.agents().name())) {
            return mayBeOwn(tx, table, rows);
        }
        if (table.writtenOnce() || table.name().equals(HostTable.HOSTS.name())) {
            Set<List<Object>> here = tx.owners(table, rows).keySet();
            rows = rows.stream().filter(row -> !here.contains(table.keyOf(row))).toList();
        }
        return SyncSchema.isCourse(table) ? maySteer(tx, table, rows) : rows;
    }

    /** Without {@code steer} an agent that is here continues as this host knows it. */
    private List<SyncRow> maySteer(SyncStore.Writing tx, SyncTable table, List<SyncRow> rows) {
        if (consent.has(Consent.STEER) || rows.isEmpty()) {
            return rows;
        }
        Set<String> here = agentsHere(tx, table, rows);
        here.removeAll(givenBack);
        List<SyncRow> others =
                rows.stream().filter(row -> !here.contains(agentOf(table, row))).toList();
        if (others.size() < rows.size() && !logged) {
            logged = true;
            LOG.warn(
                    "hub gives back what agents of this host do, ignored: {}",
                    consent.refusal(Consent.STEER));
        }
        return others;
    }

    private Set<String> agentsHere(SyncStore.Writing tx, SyncTable table, List<SyncRow> rows) {
        SyncTable agents = schema.agents();
        int id = agents.indexOf(SyncSchema.agentColumn(agents));
        List<SyncRow> named =
                rows.stream()
                        .map(row -> agentOf(table, row))
                        .distinct()
                        .map(
                                agent -> {
                                    @Nullable Object[] values =
                                            new @Nullable Object[agents.columns().size()];
                                    values[id] = agent;
                                    return new SyncRow(self.id().value(), 0, 0, values, null);
                                })
                        .toList();
        Set<String> here = new HashSet<>();
        tx.owners(agents, named)
                .forEach(
                        (key, owner) -> {
                            if (owner.host().equals(self.id())) {
                                here.add(String.valueOf(key.getFirst()));
                            }
                        });
        return here;
    }

    private static String agentOf(SyncTable table, SyncRow row) {
        return SyncSchema.agentOf(table, row).orElseThrow();
    }

    /**
     * A hub can claim to give back an agent that this host had taken over, which needs the same
     * consent as bringing a new one. It can also claim that the host removed one, which stops it:
     * without {@code steer}, what this host has of its agents stays unchanged.
     */
    private List<SyncRow> mayBeOwn(SyncStore.Writing tx, SyncTable table, List<SyncRow> rows) {
        if (!table.name().equals(schema.agents().name())) {
            return rows;
        }
        Map<List<Object>, ReplicaWriter.Owner> owners = tx.owners(table, rows);
        List<SyncRow> allowed = new ArrayList<>();
        for (SyncRow row : rows) {
            ReplicaWriter.Owner owner = owners.get(table.keyOf(row));
            boolean here = owner != null && owner.host().equals(self.id());
            if (here && !consent.has(Consent.STEER)) {
                continue;
            }
            boolean known = owner != null && here && owner.gen() == row.gen();
            String agent = String.valueOf(table.keyOf(row).getFirst());
            if (!known && row.gen() != 0) {
                if (!consent.has(Consent.AGENTS)) {
                    continue;
                }
                tx.recordOrigin(self.org(), self.id(), agent, consent.address());
            }
            allowed.add(row);
            if (!here) {
                givenBack.add(agent);
            }
        }
        return allowed;
    }
}
