package dev.skep.directory.audit;

import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.transport.route.Json;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The table {@code audit_log}: added to and read, never changed. Thread-safe. */
public final class AuditStore {
    private static final String COLUMNS = "id, at, actor, action, target, address, detail";

    private final UlidSource ids;
    private final InstantSource clock;

    public AuditStore(UlidSource ids, InstantSource clock) {
        this.ids = ids;
        this.clock = clock;
    }

    /** Adds an entry in the transaction that it describes. */
    public void record(
            Transaction transaction,
            Actor actor,
            String action,
            String target,
            Map<String, String> detail) {
        transaction.update(
                """
                INSERT INTO audit_log (id, org_id, at, actor, action, target, address, detail)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
                ids.next(),
                actor.org().value(),
                clock.instant(),
                actor.principal().label(),
                action,
                target,
                actor.from(),
                Json.text(new TreeMap<>(detail)));
    }

    /** The newest entries before an id, newest first. */
    public List<AuditEntry> newest(
            Snapshot snapshot,
            Principal principal,
            AuditFilter filter,
            Optional<String> before,
            int limit) {
        Query query = query(principal, filter);
        before.ifPresent(id -> query.and("id < ?", id));
        query.parameters.add(limit);
        return snapshot.list(
                "SELECT %s FROM audit_log WHERE %s ORDER BY id DESC LIMIT ?"
                        .formatted(COLUMNS, query.condition),
                AuditStore::read,
                query.parameters.toArray());
    }

    /** All entries in order, one at a time, however many there are. */
    public void each(
            Snapshot snapshot,
            Principal principal,
            AuditFilter filter,
            Consumer<AuditEntry> reader) {
        Query query = query(principal, filter);
        try (Snapshot.Cursor<AuditEntry> cursor =
                snapshot.stream(
                        "SELECT %s FROM audit_log WHERE %s ORDER BY id"
                                .formatted(COLUMNS, query.condition),
                        AuditStore::read,
                        query.parameters.toArray())) {
            for (AuditEntry entry = cursor.next(); entry != null; entry = cursor.next()) {
                reader.accept(entry);
            }
        }
    }

    private static Query query(Principal principal, AuditFilter filter) {
        Query query = new Query(principal.org().value());
        filter.actor().ifPresent(actor -> query.and("actor = ?", actor));
        filter.action().ifPresent(action -> query.and("action = ?", action));
        filter.target().ifPresent(target -> query.and("target = ?", target));
        filter.since().ifPresent(since -> query.and("at >= ?", since));
        filter.until().ifPresent(until -> query.and("at < ?", until));
        return query;
    }

    private static final class Query {
        private final StringBuilder condition = new StringBuilder("org_id = ?");
        private final List<@Nullable Object> parameters = new ArrayList<>();

        Query(String org) {
            parameters.add(org);
        }

        void and(String term, Object value) {
            condition.append(" AND ").append(term);
            parameters.add(value);
        }
    }

    private static AuditEntry read(ResultRow row) {
        return new AuditEntry(
                row.text("id"),
                row.time("at"),
                row.text("actor"),
                row.text("action"),
                row.text("target"),
                row.text("address"),
                row.text("detail"));
    }
}
