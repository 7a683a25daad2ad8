package dev.skep.sync.hub;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.feed.Replicas;
import dev.skep.sync.NameConflict;
import dev.skep.sync.SetAside;
import dev.skep.sync.SetAside.Reason;
import dev.skep.sync.Sieve;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.sync.SyncStore.Writing;
import dev.skep.wire.Message;
import dev.skep.wire.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores on a hub what a host sends, and how far it got, in one transaction. The host speaks for
 * itself only: what it may not say is set aside and reported, and the rest of the page is stored.
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
        record Stored(List<Message.Reject> rejects) implements Outcome {}

        /** A newer link of the host exists; nothing was stored. */
        record Fenced() implements Outcome {}
    }

    Outcome store(Rows rows, long linkNo, long since, long head) {
        List<SetAside> unread =
                rows.refused().stream()
                        .map(refused -> SetAside.of(host.id().value(), refused))
                        .toList();
        try {
            return store(rows.tables(), unread, linkNo, since, head);
        } catch (SkepException e) {
            if (!Sieve.blamesRow(e)) {
                throw e;
            }
            Sieve sieve = Sieve.of(store, host.org(), rows.tables());
            List<SetAside> refused = new ArrayList<>(unread);
            refused.addAll(sieve.refused());
            return store(sieve.storable(), refused, linkNo, since, head);
        }
    }

    private Outcome store(
            List<TableRows> tables, List<SetAside> refused, long linkNo, long since, long head) {
        try {
            return store.write(
                    tx -> {
                        List<SetAside> aside = new ArrayList<>(refused);
                        List<Message.Reject> rejects = new ArrayList<>();
                        for (TableRows part : tables) {
                            storePart(tx, part, aside);
                        }
                        tx.setAside(host.org(), aside);
                        aside.forEach(row -> rejects.add(row.reject()));
                        if (tables.stream().anyMatch(part -> isNamed(part.table()))) {
                            tx.nameConflicts(host.org(), host.id()).stream()
                                    .map(NameConflict::reject)
                                    .forEach(rejects::add);
                        }
                        if (!tx.advance(host.id().value(), linkNo, since, head)) {
                            throw new NewerLink();
                        }
                        return new Outcome.Stored(rejects);
                    });
        } catch (NewerLink e) {
            return new Outcome.Fenced();
        }
    }

    private void storePart(Writing tx, TableRows part, List<SetAside> aside) {
        SyncTable table = part.table();
        long horizon = tx.horizon(table);
        Map<List<Object>, Replicas.Owner> owners = ownersOfGranted(tx, part);
        List<SyncRow> rows = new ArrayList<>(part.rows().size());
        for (SyncRow row : part.rows()) {
            boolean old = horizon > 0 && SyncSchema.bornAt(table, row) < horizon;
            if (old) {
                continue;
            }
            if (row.gen() == 0 || mayTakeOver(tx, table, row, owners.get(table.keyOf(row)))) {
                rows.add(row);
            } else {
                aside.add(SetAside.of(table, row, Reason.TAKEOVER_UNCONFIRMED));
            }
        }
        int stored = tx.apply(host.org(), List.of(new TableRows(table, rows)));
        if (stored < rows.size()) {
            reportOthers(tx, table, rows, aside);
        }
        if (isNamed(table) && !rows.isEmpty()) {
            tx.settleNames(host.org(), table, rows);
        }
    }

    private boolean isNamed(SyncTable table) {
        return schema.named(table.name()).isPresent();
    }

    /**
     * A generation needs an operator's word, given on this hub: also for a row the hub has never
     * seen, or a host could take agents from whoever reaches an empty hub later.
     */
    private boolean mayTakeOver(
            Writing tx, SyncTable table, SyncRow row, Replicas.@Nullable Owner owner) {
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
    private static Map<List<Object>, Replicas.Owner> ownersOfGranted(Writing tx, TableRows part) {
        List<SyncRow> granted = part.rows().stream().filter(row -> row.gen() > 0).toList();
        return granted.isEmpty() ? Map.of() : tx.owners(part.table(), granted);
    }

    /** Rows that were not stored are known already, outranked, or somebody else's. */
    private void reportOthers(
            Writing tx, SyncTable table, List<SyncRow> rows, List<SetAside> aside) {
        Map<List<Object>, Replicas.Owner> owners = tx.owners(table, rows);
        for (SyncRow row : rows) {
            Replicas.Owner owner = owners.get(table.keyOf(row));
            boolean others =
                    owner != null
                            && (!owner.org().equals(host.org())
                                    || (!owner.host().equals(host.id())
                                            && owner.gen() <= row.gen()));
            if (others) {
                aside.add(SetAside.of(table, row, Reason.OWNERSHIP_VIOLATION));
            }
        }
    }

    private static final class NewerLink extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NewerLink() {
            super(null, null, false, false);
        }
    }
}
