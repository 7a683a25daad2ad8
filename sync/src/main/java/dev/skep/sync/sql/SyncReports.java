package dev.skep.sync.sql;

import dev.skep.directory.host.HostNames;
import dev.skep.directory.host.HostStore;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.sync.NamedTable;
import dev.skep.sync.SyncSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reports of sync for people: how far each peer has synced, and what went wrong. */
public final class SyncReports {
    private final Database database;
    private final SyncSchema schema;
    private final PeerStore peers = new PeerStore();

    public SyncReports(Database database, SyncSchema schema) {
        this.database = database;
        this.schema = schema;
    }

    /**
     * A peer and how far sync with it has got.
     *
     * @param lag how many of the host's writes are still to be pulled, as far as the hub knows;
     *     empty if unknown
     * @param behindSince since when the hub has known of writes it does not have; empty if it knows
     *     of none
     */
    public record PeerView(
            String id,
            String name,
            String position,
            @Nullable Long lag,
            @Nullable Instant behindSince,
            Instant lastAt) {}

    /**
     * What a host wrote and a hub does not have.
     *
     * @param oldest when the first of those rows was written; empty if there is none
     */
    public record UnsyncedRows(long rows, Optional<Instant> oldest) {}

    /** A row whose name another row of the org had first. */
    public record NameConflictView(
            String table, String id, String name, String host, String hostName) {}

    /** A row that is not among the others, and why. */
    public record QuarantineView(
            String host,
            String table,
            String key,
            String reason,
            @Nullable String row,
            Instant at) {}

    /** The orgs that have hosts. */
    List<OrgId> orgs() {
        return database.read(HostStore::orgs);
    }

    public List<PeerView> peers(Principal who) {
        return database.read(
                db ->
                        db.list(
                                """
                                SELECT s.id, %s AS name, s.since_timestamp, s.head, s.behind_since, s.updated_at
                                FROM hub_sync_state s JOIN hosts h ON h.id = s.id
                                WHERE h.org_id = ? ORDER BY 2, s.id
                                """
                                        .formatted(HostNames.sql("h.id", "h.org_id")),
                                SyncReports::peer,
                                who.org().value()));
    }

    private static PeerView peer(ResultRow row) {
        long position = row.number("since_timestamp");
        long head = row.number("head");
        Long lag = Position.epoch(position) == Position.epoch(head) ? head - position : null;
        return new PeerView(
                row.text("id"),
                row.text("name"),
                Long.toString(position),
                lag,
                lag != null && lag == 0 ? null : row.timeOrNull("behind_since"),
                row.time("updated_at"));
    }

    /** On a runner: up to which of its writes a hub had confirmed them, as far as was stored. */
    public long confirmed(String hub) {
        return database.read(db -> peers.peer(db, hub).pulled());
    }

    /** On a runner: its own rows behind the position up to which a hub has them. */
    public UnsyncedRows waiting(Principal.Host self, long position) {
        return database.read(
                db -> {
                    long rows = 0;
                    Optional<Instant> oldest = Optional.empty();
                    for (SyncTable table : schema.tables().all()) {
                        String behind =
                                "FROM %s WHERE org_id = ? AND feed > ? AND host_id = ?"
                                        .formatted(table.name());
                        Object[] of = {self.org().value(), position, self.id().value()};
                        long counted =
                                db.first("SELECT count(*) " + behind, row -> row.number(1), of)
                                        .orElse(0L);
                        if (counted > 0) {
                            rows += counted;
                            oldest = earlier(oldest, written(db, behind, of));
                        }
                    }
                    return new UnsyncedRows(rows, oldest);
                });
    }

    private static Optional<Instant> written(Snapshot db, String behind, Object[] of) {
        return db.first(
                "SELECT updated_at " + behind + " ORDER BY feed LIMIT 1",
                row -> row.time("updated_at"),
                of);
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }

    public List<NameConflictView> conflicts(Principal who) {
        return database.read(
                db -> {
                    List<NameConflictView> all = new ArrayList<>();
                    for (NamedTable named : schema.named()) {
                        all.addAll(
                                db.list(
                                        """
                                        SELECT t.id, t.%2$s AS named, t.host_id, %3$s AS host_name
                                        FROM %1$s t
                                        WHERE t.org_id = ? AND t.name_conflict <> 0
                                        ORDER BY t.%2$s, t.id
                                        """
                                                .formatted(
                                                        named.table().name(),
                                                        named.name(),
                                                        HostNames.sql("t.host_id", "t.org_id")),
                                        row -> conflict(named, row),
                                        who.org().value()));
                    }
                    return all;
                });
    }

    private static NameConflictView conflict(NamedTable named, ResultRow row) {
        String hostName = row.textOrNull("host_name");
        return new NameConflictView(
                named.table().name(),
                row.text("id"),
                row.text("named"),
                row.text("host_id"),
                hostName == null ? "" : hostName);
    }

    /** The rows a person may mean by a word: that of the id, else the live ones of the name. */
    public List<String> findByIdOrName(OrgId org, String table, String word) {
        NamedTable named = schema.named(table).orElseThrow();
        String live = named.hasDeleted() ? " AND deleted_at IS NULL" : "";
        return database.read(
                db ->
                        db.list(
                                """
                                SELECT id FROM %1$s WHERE org_id = ? AND id = ?
                                UNION SELECT id FROM %1$s WHERE org_id = ? AND %2$s = ?%3$s ORDER BY id
                                """
                                        .formatted(named.table().name(), named.name(), live),
                                row -> row.text("id"),
                                org.value(),
                                word,
                                org.value(),
                                word));
    }

    public List<QuarantineView> quarantine(Principal who, int limit) {
        return database.read(
                db ->
                        db.list(
                                """
                                SELECT host_id, table_name, row_key, reason, row_json, created_at
                                FROM sync_quarantine WHERE org_id = ?
                                ORDER BY created_at DESC, table_name, row_key LIMIT ?
                                """,
                                row ->
                                        new QuarantineView(
                                                row.text("host_id"),
                                                row.text("table_name"),
                                                row.text("row_key"),
                                                row.text("reason"),
                                                row.textOrNull("row_json"),
                                                row.time("created_at")),
                                who.org().value(),
                                limit));
    }
}
