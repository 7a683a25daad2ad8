package dev.skep.store.engine;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.migration.Migrations;
import java.util.List;
import java.util.Optional;

/**
 * A read-only inspection of a database, also while its process writes.
 *
 * @param schema the version its schema has; {@code newest} is the one this program has
 * @param checked what was checked, for people
 * @param damage what the database's own check found; empty where it is whole
 * @param holder the process that has it open for writing, if known
 */
public record DatabaseInspection(
        String name,
        int schema,
        int newest,
        long bytes,
        String checked,
        List<String> damage,
        Optional<String> holder) {
    private static final int DAMAGE_SHOWN = 3;

    /** Looks; a database of a newer or another program is refused as it is when opened. */
    public static DatabaseInspection of(DatabaseUrl url) {
        Optional<String> holder =
                url instanceof DatabaseUrl.Sqlite(var file)
                        ? DatabaseFileLock.holder(file)
                        : Optional.empty();
        try (Database database = Databases.openForInspection(url)) {
            return database.read(
                    snapshot ->
                            snapshot.dialect() == SqlDialect.SQLITE
                                    ? sqlite(database, snapshot, holder)
                                    : postgres(database, snapshot));
        }
    }

    private static DatabaseInspection sqlite(
            Database database, Snapshot snapshot, Optional<String> holder) {
        List<String> found =
                snapshot.list(
                        "PRAGMA quick_check(" + DAMAGE_SHOWN + ")",
                        row -> String.valueOf(row.textOrNull(1)));
        boolean whole = found.equals(List.of("ok"));
        long pages = number(snapshot, "PRAGMA page_count");
        return new DatabaseInspection(
                database.name(),
                Migrations.shipped().version(database, snapshot),
                Migrations.shipped().latest(),
                pages * number(snapshot, "PRAGMA page_size"),
                "passes its own check",
                whole ? List.of() : found,
                holder);
    }

    private static DatabaseInspection postgres(Database database, Snapshot snapshot) {
        String server =
                snapshot.first("SHOW server_version", row -> String.valueOf(row.textOrNull(1)))
                        .orElse("");
        return new DatabaseInspection(
                database.name(),
                Migrations.shipped().version(database, snapshot),
                Migrations.shipped().latest(),
                number(snapshot, "SELECT pg_database_size(current_database())"),
                "PostgreSQL " + server.replaceFirst(" .*", ""),
                List.of(),
                Optional.empty());
    }

    private static long number(Snapshot snapshot, String sql) {
        return snapshot.first(sql, row -> row.number(1)).orElse(0L);
    }
}
