package dev.skep.sync.runner;

import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.wire.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * How a host that was restored from an old backup joins its own future again: it takes back the
 * rows its hubs hold, keeps the newer of each, and stamps all of them above everything that was
 * lost. Each step is a transaction that leaves a sound state; a crash starts the heal over.
 */
final class Healing {
    private final Principal.Host self;
    private final SyncStore store;

    Healing(Principal.Host self, SyncStore store) {
        this.self = self;
        this.store = store;
    }

    /** Takes own rows back; true after the last page, when all rows have new stamps. */
    boolean onPage(Message.Heal heal) {
        return store.write(
                tx -> {
                    if (Position.epoch(tx.now()) <= Position.epoch(heal.head())) {
                        tx.openEpoch(Position.epoch(heal.head()));
                    }
                    tx.apply(self.org(), own(tx, heal.rows().tables()));
                    if (heal.hasMore()) {
                        tx.stampUnfed(self.org(), self.id());
                    } else {
                        stampAnew(tx, Position.epoch(heal.head()));
                    }
                    return !heal.hasMore();
                });
    }

    /** Others hold rows of a timeline this host has lost, and no hub has them to give back. */
    void onSeen(Map<Long, Long> seen) {
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
        tx.stampAnew(self.org(), self.id(), epoch);
        tx.forgetPulled();
    }

    private List<TableRows> own(SyncStore.Reading db, List<TableRows> tables) {
        List<TableRows> own = new ArrayList<>();
        for (TableRows part : tables) {
            long horizon = db.horizon(part.table());
            List<SyncRow> rows =
                    part.rows().stream()
                            .filter(row -> row.hostId().equals(self.id().value()))
                            .filter(row -> SyncSchema.bornAt(part.table(), row) >= horizon)
                            .toList();
            own.add(new TableRows(part.table(), rows));
        }
        return own;
    }
}
