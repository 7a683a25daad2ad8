package dev.skep.directory.host;

import dev.skep.directory.HostRow;
import dev.skep.directory.HostTable;
import dev.skep.kernel.id.HostId;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.util.Optional;

/** The table {@code local_host} and this host's own row. */
final class LocalHostStore {
    /** Which host this database belongs to, once one has started on it. */
    Optional<HostId> self(Snapshot snapshot) {
        return snapshot.first(
                "SELECT host_id FROM local_host", row -> new HostId(row.text("host_id")));
    }

    void setSelf(Transaction transaction, HostId host) {
        transaction.update("INSERT INTO local_host (one, host_id) VALUES (1, ?)", host.value());
    }

    Optional<HostRow> row(Snapshot snapshot, HostId host) {
        return snapshot.first(
                "SELECT %s FROM hosts WHERE id = ?".formatted(HostTable.ROWS.columns()),
                HostTable.ROWS::read,
                host.value());
    }
}
