package dev.skep.sync.hub;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.sync.BadRowIsolator;
import dev.skep.sync.NameConflict;
import dev.skep.sync.QuarantinedRow;
import dev.skep.sync.QuarantinedRow.Reason;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.sync.SyncStore.Writing;
import dev.skep.wire.Message;
import dev.skep.wire.MessageRows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores on a hub the rows that a host sends, and the position they reach, in one transaction. A
 * host writes only its own rows: a row that it may not write is quarantined and reported, and the
 * rest of the page is stored.
 */
final class Ingest {
    private final Principal.Host host;
    private final SyncSchema schema;
    private final SyncStore store;

    Ingest(Principal.Host host, SyncSchema schema, SyncStore store) {
        this.host = host;
        this.schema = schema;
        this.store = store;
    }

    /** What became of a page. */
    sealed interface Outcome {
        /**
         * It is stored.
         *
         * @param pulledAnew hosts whose earlier rows can be taken now
         */
        record Stored(List<Message.Reject> rejects, Set<HostId> pulledAnew) implements Outcome {}

        /** A newer link of the host exists; nothing was stored. */
        record Fenced() implements Outcome {}
    }

    /** Whether all rows claim to be the host's own. */
    boolean areOwn(MessageRows rows) {
        String own = host.id().value();
        return rows.tables().stream()
                .allMatch(part -> part.rows().stream().allMatch(row -> row.hostId().equals(own)));
    }

    Outcome store(MessageRows rows, long linkNo, long since, long head) {
        List<QuarantinedRow> unread =
                rows.refused().stream()
                        .map(refused -> QuarantinedRow.of(host.id().value(), refused))
                        .toList();
        try {
            return store(rows.tables(), unread, linkNo, since, head);
        } catch (SkepException e) {
            if (!BadRowIsolator.blamesRow(e)) {
                throw e;
            }
            BadRowIsolator badRowIsolator = BadRowIsolator.of(store, host.org(), rows.tables());
            List<QuarantinedRow> refused = new ArrayList<>(unread);
            refused.addAll(badRowIsolator.refused());
            return store(badRowIsolator.storable(), refused, linkNo, since, head);
        }
    }

    private Outcome store(
            List<TableRows> tables,
            List<QuarantinedRow> refused,
            long linkNo,
            long since,
            long head) {
        try {
            return store.write(
                    tx -> {
                        List<QuarantinedRow> quarantinedRow = new ArrayList<>(refused);
                        List<Message.Reject> rejects = new ArrayList<>();
                        Set<HostId> awaited = new HashSet<>();
                        for (TableRows part : agentsFirst(tables)) {
                            awaited.addAll(storePart(tx, part, quarantinedRow));
                        }
                        setAside(tx, quarantinedRow);
                        quarantinedRow.forEach(row -> rejects.add(row.reject()));
                        if (tables.stream().anyMatch(part -> isNamed(part.table()))) {
                            tx.nameConflicts(host.org(), host.id()).stream()
                                    .map(NameConflict::reject)
                                    .forEach(rejects::add);
                        }
                        if (!tx.advance(host.id().value(), linkNo, since, head)) {
                            throw new NewerLink();
                        }
                        // Last: the host itself may be among them, and this ends its link.
                        tx.restartPull(host.org(), awaited);
                        return new Outcome.Stored(rejects, awaited);
                    });
        } catch (NewerLink e) {
            return new Outcome.Fenced();
        }
    }

    /**
     * What is aside may be taken later, so its owner must not purge it as pulled: nor anything else
     * of this page, since a row that cannot be read has no stamp.
     */
    private void setAside(Writing tx, List<QuarantinedRow> quarantinedRow) {
        String id = host.id().value();
        long from = tx.peer(id).cursor() + 1;
        tx.quarantine(host.org(), quarantinedRow.stream().map(row -> row.from(from)).toList());
        if (quarantinedRow.stream().anyMatch(row -> row.reason().holdsUp())) {
            tx.holdFrom(id, from);
        }
    }

    /** Rows written for agents are checked against the agents of the same page first. */
    private List<TableRows> agentsFirst(List<TableRows> tables) {
        return tables.stream()
                .sorted(Comparator.comparing(part -> !part.table().equals(schema.agents())))
                .toList();
    }

    private Set<HostId> storePart(Writing tx, TableRows part, List<QuarantinedRow> quarantinedRow) {
        SyncTable table = part.table();
        Map<List<Object>, ReplicaWriter.Owner> owners = ownersOfGranted(tx, part);
        List<SyncRow> rows = new ArrayList<>(part.rows().size());
        for (SyncRow row : part.rows()) {
            if (SyncSchema.introducesAnother(table, row)) {
                quarantinedRow.add(QuarantinedRow.of(table, row, Reason.OWNERSHIP_VIOLATION));
                continue;
            }
            if (row.gen() == 0 || mayTakeOver(tx, table, row, owners.get(table.keyOf(row)))) {
                rows.add(row);
            } else {
                quarantinedRow.add(QuarantinedRow.of(table, row, Reason.TAKEOVER_UNCONFIRMED));
            }
        }
        setAsideForOthersAgents(tx, table, rows, quarantinedRow);
        int stored = tx.apply(host.org(), List.of(new TableRows(table, rows)));
        List<SyncRow> others =
                stored < rows.size() ? reportOthers(tx, table, rows, quarantinedRow) : List.of();
        if (isNamed(table) && !rows.isEmpty()) {
            tx.settleNames(host.org(), table, rows);
        }
        if (!table.equals(schema.agents())) {
            return Set.of();
        }
        rows.removeAll(others);
        return tx.noteHosts(host.org(), rows);
    }

    /**
     * Takes out rows written for agents that are not known as this host's. An agent's row may come
     * after them; then they come again.
     */
    private void setAsideForOthersAgents(
            Writing tx, SyncTable table, List<SyncRow> rows, List<QuarantinedRow> quarantinedRow) {
        Set<String> named = new HashSet<>();
        rows.forEach(row -> table.authorOf(row).ifPresent(named::add));
        if (named.isEmpty()) {
            return;
        }
        named.removeAll(tx.agentsOf(host.org(), host.id(), Set.copyOf(named)));
        if (named.isEmpty()) {
            return;
        }
        for (SyncRow row : List.copyOf(rows)) {
            if (table.authorOf(row).filter(named::contains).isPresent()) {
                quarantinedRow.add(QuarantinedRow.of(table, row, Reason.AGENT_NOT_OF_HOST));
            }
        }
        rows.removeIf(row -> table.authorOf(row).filter(named::contains).isPresent());
        tx.awaitAgents(host.org(), host.id(), named);
    }

    private boolean isNamed(SyncTable table) {
        return schema.named(table.name()).isPresent();
    }

    /**
     * A generation needs a grant of an operator of this hub: also for a row that the hub has never
     * seen, or a host could claim agents on an empty hub before their owners reach it.
     */
    private boolean mayTakeOver(
            Writing tx, SyncTable table, SyncRow row, ReplicaWriter.@Nullable Owner owner) {
        boolean known =
                owner == null
                        ? !schema.movable().contains(table)
                        : owner.host().equals(host.id()) && owner.gen() == row.gen();
        boolean outranked = owner != null && owner.gen() > row.gen();
        return known
                || outranked
                || SyncSchema.agentOf(table, row)
                        .filter(agent -> tx.isGranted(host.org(), host.id(), agent, row.gen()))
                        .isPresent();
    }

    /** In one question: every row an adopted agent writes carries its generation. */
    private static Map<List<Object>, ReplicaWriter.Owner> ownersOfGranted(
            Writing tx, TableRows part) {
        List<SyncRow> granted = part.rows().stream().filter(row -> row.gen() > 0).toList();
        return granted.isEmpty() ? Map.of() : tx.owners(part.table(), granted);
    }

    /**
     * Rows that were not stored are known already, outranked, or owned by another host; returns
     * those whose stored row is not this host's.
     */
    private List<SyncRow> reportOthers(
            Writing tx, SyncTable table, List<SyncRow> rows, List<QuarantinedRow> quarantinedRow) {
        Map<List<Object>, ReplicaWriter.Owner> owners = tx.owners(table, rows);
        List<SyncRow> notOurs = new ArrayList<>();
        for (SyncRow row : rows) {
            ReplicaWriter.Owner owner = owners.get(table.keyOf(row));
            boolean others =
                    owner != null
                            && (!owner.org().equals(host.org())
                                    || (!owner.host().equals(host.id())
                                            && owner.gen() <= row.gen()));
            if (others) {
                quarantinedRow.add(QuarantinedRow.of(table, row, Reason.OWNERSHIP_VIOLATION));
            }
            if (owner == null || !owner.host().equals(host.id())) {
                notOurs.add(row);
            }
        }
        return notOurs;
    }

    private static final class NewerLink extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NewerLink() {
            super(null, null, false, false);
        }
    }
}
