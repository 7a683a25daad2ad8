package dev.skep.directory.host;

import dev.skep.directory.HostTable;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What other features ask of the table {@code hosts}, and what they write into their own row. */
public final class HostStore {
    private HostStore() {}

    /** Whether the org's host has a row here. */
    public static boolean has(Snapshot snapshot, OrgId org, HostId host) {
        return snapshot.first(
                        "SELECT 1 FROM hosts WHERE id = ? AND org_id = ?",
                        row -> true,
                        host.value(),
                        org.value())
                .isPresent();
    }

    /** The orgs that have hosts. */
    public static List<OrgId> orgs(Snapshot snapshot) {
        return snapshot.list(
                "SELECT DISTINCT org_id FROM hosts ORDER BY org_id",
                row -> new OrgId(row.text("org_id")));
    }

    /** Whether a host's row is outside this database's feed, because another hub sent it. */
    public static boolean isUnfed(Snapshot snapshot, String host) {
        return snapshot.first(
                        "SELECT 1 FROM hosts WHERE id = ? AND feed IS NULL", row -> true, host)
                .isPresent();
    }

    /** The last epoch in which a host wrote all its rows anew; 0 if it never did. */
    public static long healedEpoch(Snapshot snapshot, String host) {
        return snapshot.first(
                        "SELECT coalesce(healed_epoch, 0) FROM hosts WHERE id = ?",
                        row -> row.number(1),
                        host)
                .orElse(0L);
    }

    /** Writes into a host's own row that it wrote all others anew, and puts it behind them. */
    public static void setHealedEpoch(
            Transaction transaction, OwnRowWriter own, long epoch, Instant now) {
        transaction.update(
                "UPDATE hosts SET healed_epoch = ?, updated_at = ? WHERE id = ? AND org_id = ?",
                epoch,
                now,
                own.self().value(),
                own.org().value());
        own.restamp(transaction, HostTable.HOSTS, "1 = 1");
    }

    /** Below which stamps a host has forgotten its rows, as it wrote them. */
    public static Optional<String> floors(Snapshot snapshot, String host) {
        return snapshot.first(
                        "SELECT floors FROM hosts WHERE id = ?",
                        row -> Optional.ofNullable(row.textOrNull(1)),
                        host)
                .flatMap(floors -> floors);
    }

    /** Writes the floors into a host's own row. */
    public static void setFloors(
            Transaction transaction, OwnRowWriter own, String floors, Instant now) {
        transaction.update(
                "UPDATE hosts SET floors = ?, updated_at = ? WHERE id = ? AND org_id = ?",
                floors,
                now,
                own.self().value(),
                own.org().value());
        own.restamp(transaction, HostTable.HOSTS, "id = ?", own.self().value());
    }
}
