package dev.skep.directory.host;

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

    Optional<Row> row(Snapshot snapshot, HostId host) {
        return snapshot.first(
                """
                SELECT name, kind, public_key, machine_id, name_conflict, healed_epoch, retained_from,
                    floors
                FROM hosts WHERE id = ?""",
                row ->
                        new Row(
                                row.text("name"),
                                row.text("kind"),
                                Optional.ofNullable(row.textOrNull("public_key")),
                                Optional.ofNullable(row.textOrNull("machine_id")),
                                row.number("name_conflict"),
                                Optional.ofNullable(row.numberOrNull("healed_epoch")),
                                row.textOrNull("retained_from") != null,
                                Optional.ofNullable(row.textOrNull("floors"))),
                host.value());
    }

    /**
     * The columns of a host's own row that a start may change, and those it must keep.
     *
     * @param hasHorizon it says what earlier versions said of old rows, which means nothing now
     */
    record Row(
            String name,
            String kind,
            Optional<String> publicKey,
            Optional<String> machineId,
            long nameConflict,
            Optional<Long> healedEpoch,
            boolean hasHorizon,
            Optional<String> floors) {}
}
