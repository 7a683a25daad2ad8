package dev.skep.sync.runner;

import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.sync.BadRowIsolator;
import dev.skep.sync.NameConflict;
import dev.skep.sync.NamedTable;
import dev.skep.sync.QuarantinedRow;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.sync.SyncStore.Writing;
import dev.skep.wire.Message;
import dev.skep.wire.MessageRows;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores on a runner what a hub sends: other hosts' rows, and notices about own ones. */
final class Replication {
    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);

    private final Principal.Host self;
    private final JoinKind joinKind;
    private final HubConsent consent;
    private final SyncSchema schema;
    private final SyncStore store;
    private final ForeignAgentRows strangers;
    private final InstantSource clock;
    private final Duration clearEvery;
    private Instant clearedAt = Instant.MIN;
    private final Set<Consent> refused = EnumSet.noneOf(Consent.class);

    Replication(
            Principal.Host self,
            JoinKind joinKind,
            HubConsent consent,
            SyncSchema schema,
            SyncStore store,
            InstantSource clock,
            Duration clearEvery) {
        this.self = self;
        this.joinKind = joinKind;
        this.consent = consent;
        this.schema = schema;
        this.store = store;
        this.strangers = new ForeignAgentRows(self.org(), schema);
        this.clock = clock;
        this.clearEvery = clearEvery;
    }

    /**
     * Stores rows and, in the same transaction, how far they reach.
     *
     * @param from the cursor after which the hub sent them
     */
    void apply(MessageRows rows, String hub, long from, Consumer<Writing> cursor) {
        try {
            apply(rows.tables(), List.of(), hub, from, cursor);
        } catch (SkepException e) {
            if (!BadRowIsolator.blamesRow(e)) {
                throw e;
            }
            BadRowIsolator badRowIsolator = BadRowIsolator.of(store, self.org(), rows.tables());
            apply(badRowIsolator.storable(), badRowIsolator.refused(), hub, from, cursor);
        }
    }

    private void apply(
            List<TableRows> tables,
            List<QuarantinedRow> refused,
            String hub,
            long from,
            Consumer<Writing> cursor) {
        store.write(
                tx -> {
                    Map<String, Long> healed = new HashMap<>();
                    List<QuarantinedRow> quarantinedRow = new ArrayList<>(refused);
                    List<TableRows> wanted = new ArrayList<>();
                    for (TableRows part : wanted(tx, strangers.agentsFirst(tables), healed)) {
                        TableRows ours = strangers.without(tx, hub, from, part, quarantinedRow);
                        tx.apply(self.org(), List.of(ours));
                        strangers.note(tx, ours);
                        wanted.add(ours);
                    }
                    tx.mergeSeen(seen(wanted));
                    for (TableRows part : wanted) {
                        forgetLostTimelines(tx, part, healed);
                    }
                    if (wanted.stream().anyMatch(part -> isNamed(part.table()))) {
                        clearNames(tx);
                    }
                    tx.quarantine(self.org(), quarantinedRow);
                    cursor.accept(tx);
                    return wanted.size();
                });
    }

    private boolean isNamed(SyncTable table) {
        return schema.named(table.name()).isPresent();
    }

    /** What this host does not own and does not know to be past; however old it is. */
    private List<TableRows> wanted(Writing tx, List<TableRows> tables, Map<String, Long> healed) {
        List<TableRows> wanted = new ArrayList<>();
        for (TableRows part : tables) {
            SyncTable table = part.table();
            List<SyncRow> rows = new ArrayList<>();
            for (SyncRow row : part.rows()) {
                boolean past =
                        row.gen() == 0
                                && Position.epoch(row.ver())
                                        < healed.computeIfAbsent(row.hostId(), tx::healedEpoch);
                boolean own = row.hostId().equals(self.id().value());
                if (!own && !past && !SyncSchema.introducesAnother(table, row)) {
                    rows.add(row);
                }
            }
            if (joinKind == JoinKind.AS_HUB) {
                leaveToOwnHosts(tx, table, rows);
            }
            giveUpTakenOver(tx, table, rows);
            if (!rows.isEmpty()) {
                wanted.add(new TableRows(table, rows));
            }
        }
        return wanted;
    }

    /** On a hub: drops rows that its own hosts send directly, and takeovers of their agents. */
    private static void leaveToOwnHosts(Writing tx, SyncTable table, List<SyncRow> rows) {
        Map<String, Boolean> linked = new HashMap<>();
        rows.removeIf(row -> linked.computeIfAbsent(row.hostId(), id -> tx.peer(id).linkNo() > 0));
        List<SyncRow> moved = rows.stream().filter(row -> row.gen() > 0).toList();
        if (!moved.isEmpty()) {
            Map<List<Object>, ReplicaWriter.Owner> owners = tx.owners(table, moved);
            rows.removeIf(
                    row ->
                            Optional.ofNullable(owners.get(table.keyOf(row)))
                                    .filter(owner -> tx.peer(owner.host().value()).linkNo() > 0)
                                    .isPresent());
        }
    }

    /**
     * A higher generation takes an own agent and its rows away; what the rows held is kept aside.
     * This ends the agent here, so only a hub that may stop agents can do it. No other rows change
     * hosts: a claim to them is forged.
     */
    private void giveUpTakenOver(Writing tx, SyncTable table, List<SyncRow> rows) {
        List<SyncRow> granted = rows.stream().filter(row -> row.gen() > 0).toList();
        if (granted.isEmpty()) {
            return;
        }
        Map<List<Object>, ReplicaWriter.Owner> owners = tx.owners(table, granted);
        for (SyncRow row : granted) {
            ReplicaWriter.Owner owner = owners.get(table.keyOf(row));
            if (owner == null || !owner.host().equals(self.id()) || owner.gen() >= row.gen()) {
                continue;
            }
            if (SyncSchema.agentOf(table, row).isPresent()
                    && mayDo(Consent.STEER, "takes an agent of this host away")) {
                tx.giveUp(self.org(), table, row);
            } else {
                rows.remove(row);
            }
        }
    }

    /** Logged once per link: a peer that lies may do so often. */
    private boolean mayDo(Consent needed, String what) {
        boolean allowed = consent.has(needed);
        if (!allowed && refused.add(needed)) {
            LOG.warn("hub {}, ignored: {}", what, consent.refusal(needed));
        }
        return allowed;
    }

    private static Map<String, Map<Long, Long>> seen(List<TableRows> tables) {
        Map<String, Map<Long, Long>> seen = new HashMap<>();
        for (TableRows part : tables) {
            for (SyncRow row : part.rows()) {
                seen.computeIfAbsent(row.hostId(), _ -> new HashMap<>())
                        .merge(Position.epoch(row.ver()), Position.n(row.ver()), Math::max);
            }
        }
        return seen;
    }

    private void forgetLostTimelines(Writing tx, TableRows part, Map<String, Long> healed) {
        for (SyncRow row : part.rows()) {
            long epoch = SyncSchema.healedEpoch(part.table(), row);
            if (epoch > healed.getOrDefault(row.hostId(), 0L)) {
                tx.quarantineLost(self.org(), row.hostId(), epoch);
            }
        }
    }

    /** Now and then: an own row may be alone with its name since another own row was renamed. */
    void clearNames() {
        boolean any =
                store.read(
                        db ->
                                schema.named().stream()
                                        .anyMatch(named -> !alone(db, named).isEmpty()));
        if (any) {
            store.write(this::clearNames);
        }
    }

    private List<String> alone(SyncStore.Reading db, NamedTable named) {
        return db.aloneWithName(self.org(), self.id(), named);
    }

    /**
     * A hub that knows only an old name of a dead host's agent marks what this host finds alone.
     * They would do so for ever, but not faster than this.
     */
    private boolean mayClear() {
        Instant now = clock.instant();
        return clearedAt.isAfter(now) || !now.isBefore(clearedAt.plus(clearEvery));
    }

    private int clearNames(Writing tx) {
        int cleared = 0;
        if (!mayClear()) {
            return cleared;
        }
        for (NamedTable named : schema.named()) {
            for (String id : alone(tx, named)) {
                tx.markName(self.org(), self.id(), named, id, false);
                clearedAt = clock.instant();
                cleared++;
            }
        }
        return cleared;
    }

    /** The hub's notices about this host's own rows. */
    void onNotices(List<Message.Reject> rejects, List<Message.Grant> offered) {
        boolean brought = !offered.isEmpty() && mayDo(Consent.AGENTS, "gives this host an agent");
        List<Message.Grant> grants = brought ? offered : List.of();
        if (rejects.isEmpty() && grants.isEmpty()) {
            return;
        }
        store.write(
                tx -> {
                    List<QuarantinedRow> quarantinedRow = new ArrayList<>();
                    for (Message.Reject reject : rejects) {
                        if (reject.reason().equals(NameConflict.REASON)) {
                            mark(tx, reject);
                        } else {
                            quarantinedRow.add(rejected(reject));
                        }
                    }
                    tx.quarantine(self.org(), quarantinedRow);
                    for (Message.Grant grant : grants) {
                        adopt(tx, grant);
                    }
                    return rejects.size() + grants.size();
                });
    }

    private void adopt(Writing tx, Message.Grant grant) {
        tx.recordOrigin(self.org(), self.id(), grant.userId(), consent.address());
        tx.adopt(self.org(), self.id(), grant.userId(), grant.gen());
    }

    private void mark(Writing tx, Message.Reject reject) {
        schema.named(reject.table())
                .ifPresent(named -> tx.markName(self.org(), self.id(), named, reject.key(), true));
    }

    private QuarantinedRow rejected(Message.Reject reject) {
        return new QuarantinedRow(
                self.id().value(),
                reject.table(),
                reject.key(),
                QuarantinedRow.Reason.REJECTED_BY_HUB,
                0,
                reject.reason() + ": " + reject.message());
    }
}
