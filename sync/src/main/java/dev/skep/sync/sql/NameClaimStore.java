package dev.skep.sync.sql;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.sync.NameConflict;
import dev.skep.sync.NamedTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The table {@code name_claims}, beside the rows whose names they are. */
final class NameClaimStore {
    private static final int CHUNK = 100;

    /** Frees names their rows gave up, then lets the first live, unmarked row have a free one. */
    void settle(Transaction transaction, OrgId org, NamedTable named, List<SyncRow> rows) {
        for (int from = 0; from < rows.size(); from += CHUNK) {
            List<SyncRow> chunk = rows.subList(from, Math.min(rows.size(), from + CHUNK));
            Set<String> names = new HashSet<>();
            List<String> ids = new ArrayList<>();
            for (SyncRow row : chunk) {
                names.add(named.nameOf(row));
                ids.add(row.text(named.table().indexOf("id")));
            }
            names.addAll(release(transaction, org, named, ids));
            claim(transaction, org, named, List.copyOf(names));
        }
    }

    private static List<String> release(
            Transaction transaction, OrgId org, NamedTable named, List<String> ids) {
        String stale =
                """
                org_id = ? AND table_name = ? AND row_id IN (%s) AND NOT EXISTS (
                    SELECT 1 FROM %s t WHERE t.id = row_id AND t.org_id = name_claims.org_id
                        AND t.%s = name_claims.name AND %s)
                """
                        .formatted(
                                marks(ids), named.table().name(), named.name(), live(named, "t"));
        Object[] parameters = parameters(org, named, ids);
        List<String> released =
                transaction.list(
                        "SELECT name FROM name_claims WHERE " + stale,
                        row -> row.text("name"),
                        parameters);
        if (!released.isEmpty()) {
            transaction.update("DELETE FROM name_claims WHERE " + stale, parameters);
        }
        return released;
    }

    private static void claim(
            Transaction transaction, OrgId org, NamedTable named, List<String> names) {
        List<Object> parameters = new ArrayList<>(List.of(named.table().name(), org.value()));
        parameters.addAll(names);
        transaction.update(
                """
                INSERT INTO name_claims (org_id, table_name, name, row_id)
                SELECT t.org_id, CAST(? AS TEXT), t.%2$s, min(t.id) FROM %1$s t
                WHERE t.org_id = ? AND t.%2$s IN (%3$s) AND %4$s GROUP BY t.org_id, t.%2$s
                ON CONFLICT (org_id, table_name, name) DO NOTHING
                """
                        .formatted(
                                named.table().name(), named.name(), marks(names), live(named, "t")),
                parameters.toArray());
    }

    List<NameConflict> conflicts(Snapshot snapshot, OrgId org, HostId host, NamedTable named) {
        return snapshot.list(
                """
                SELECT t.id AS id, t.%2$s AS name FROM %1$s t
                JOIN name_claims c ON c.org_id = t.org_id AND c.table_name = ? AND c.name = t.%2$s
                WHERE t.org_id = ? AND t.host_id = ? AND c.row_id <> t.id AND %3$s ORDER BY t.id
                """
                        .formatted(named.table().name(), named.name(), live(named, "t")),
                row -> new NameConflict(named, row.text("id"), row.text("name")),
                named.table().name(),
                org.value(),
                host.value());
    }

    /** Own marked rows whose name no other live row has. */
    List<String> alone(Snapshot snapshot, OrgId org, HostId self, NamedTable named) {
        String deleted = named.hasDeleted() ? "AND other.deleted_at IS NULL" : "";
        return snapshot.list(
                """
                SELECT t.id AS id FROM %1$s t
                WHERE t.org_id = ? AND t.host_id = ? AND t.name_conflict <> 0 AND NOT EXISTS (
                    SELECT 1 FROM %1$s other WHERE other.org_id = t.org_id
                        AND other.%2$s = t.%2$s AND other.id <> t.id %3$s)
                ORDER BY t.id
                """
                        .formatted(named.table().name(), named.name(), deleted),
                row -> row.text("id"),
                org.value(),
                self.value());
    }

    private static String live(NamedTable named, String alias) {
        return "%1$s.name_conflict = 0%2$s"
                .formatted(
                        alias, named.hasDeleted() ? " AND " + alias + ".deleted_at IS NULL" : "");
    }

    private static Object[] parameters(OrgId org, NamedTable named, List<String> ids) {
        List<Object> parameters = new ArrayList<>(List.of(org.value(), named.table().name()));
        parameters.addAll(ids);
        return parameters.toArray();
    }

    private static String marks(List<String> of) {
        return String.join(", ", Collections.nCopies(of.size(), "?"));
    }
}
