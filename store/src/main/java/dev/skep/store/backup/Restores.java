package dev.skep.store.backup;

import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.util.Set;
import java.util.UUID;

/**
 * The last time that a database was put back from a backup. Whoever keeps what must not be believed
 * twice remembers its id, and notices another one.
 */
public final class Restores {
    /** Tables that no backup has. What hosts hold of a hub's money would be spent again. */
    static final Set<String> LEFT_OUT =
            Set.of("held_leases", "lease_requests", "lease_ledgers", "restores");

    private Restores() {}

    /** The id of the last restore; empty for a database that was never put back. */
    public static String last(Snapshot snapshot) {
        return snapshot.first("SELECT id FROM restores WHERE one = 1", row -> row.text("id"))
                .orElse("");
    }

    static void happened(Transaction transaction) {
        transaction.update(
                "UPDATE restores SET id = ? WHERE one = 1", UUID.randomUUID().toString());
    }
}
