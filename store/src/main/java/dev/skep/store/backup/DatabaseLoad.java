package dev.skep.store.backup;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.BulkInsert;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import dev.skep.store.engine.Databases;
import dev.skep.store.migration.Migrations;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills a database from a backup: the schema as in the backup, its rows, then the migrations that
 * it lacks. All of it is one transaction, so readers see the old state or the new one.
 */
public final class DatabaseLoad {
    private static final int PIECE = 500;

    private final Path backup;
    private final String name;
    private final InstantSource clock;

    /**
     * Touches nothing yet.
     *
     * @param name which of the backup's databases
     */
    public DatabaseLoad(Path backup, String name, InstantSource clock) {
        this.backup = backup;
        this.name = name;
        this.clock = clock;
    }

    /**
     * Loads into a database that is empty, or whose content may go; returns how many rows.
     *
     * @param replace whether tables that are there may be dropped
     */
    public long into(DatabaseUrl url, boolean replace) {
        try (Database database = Databases.openRaw(url)) {
            return database.write(transaction -> load(database, transaction, replace));
        }
    }

    private long load(Database database, Transaction transaction, boolean replace) {
        clear(database, transaction, replace);
        try (BackupReader reader = BackupReader.open(backup)) {
            BackupRecord record = reader.next();
            while (record != null && !isOurs(record)) {
                record = reader.next();
            }
            if (!(record instanceof BackupRecord.Schema schema)) {
                throw new SkepException(
                        ErrorCode.NOT_FOUND,
                        "backup %s has no %s database; use another one".formatted(backup, name));
            }
            Migrations.shipped()
                    .having(schema.steps(), "backup " + backup)
                    .applyIn(transaction, database, clock);
            long rows = rows(reader, transaction);
            Migrations.shipped().applyIn(transaction, database, clock);
            Restores.happened(transaction);
            return rows;
        }
    }

    private boolean isOurs(BackupRecord record) {
        return record instanceof BackupRecord.Schema(String database, _) && database.equals(name);
    }

    private static long rows(BackupReader reader, Transaction transaction) {
        long rows = 0;
        List<@Nullable Object[]> piece = new ArrayList<>();
        BulkInsert insert = null;
        for (BackupRecord record = reader.next(); record != null; record = reader.next()) {
            if (record instanceof BackupRecord.Row(@Nullable Object[] values)) {
                piece.add(values);
                rows++;
                if (piece.size() < PIECE) {
                    continue;
                }
            }
            if (insert != null && !piece.isEmpty()) {
                transaction.insertAll(insert, piece);
                piece.clear();
            }
            if (record instanceof BackupRecord.Table table) {
                // Some rows are the schema's own, and older than those of the backup.
                transaction.update("DELETE FROM " + table.name());
                insert = new BulkInsert(table.name(), table.columns(), "");
            } else if (!(record instanceof BackupRecord.Row)) {
                return rows;
            }
        }
        if (insert != null && !piece.isEmpty()) {
            transaction.insertAll(insert, piece);
        }
        return rows;
    }

    private static void clear(Database database, Transaction transaction, boolean replace) {
        List<String> there = tables(transaction);
        if (there.isEmpty()) {
            return;
        }
        if (!replace) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%s is not empty; restore into an empty database, or replace it with --force"
                            .formatted(database.name()));
        }
        there.forEach(table -> transaction.update("DROP TABLE " + table));
    }

    private static List<String> tables(Snapshot snapshot) {
        List<String> tables =
                new ArrayList<>(
                        DatabaseDump.tables(snapshot).stream()
                                .map(BackupRecord.Table::name)
                                .toList());
        String versions =
                snapshot.dialect() == SqlDialect.SQLITE
                        ? "SELECT count(*) FROM sqlite_master WHERE name = 'schema_version'"
                        : "SELECT count(*) FROM pg_class WHERE oid = to_regclass('schema_version')";
        if (snapshot.first(versions, row -> row.number(1)).orElse(0L) > 0) {
            tables.add("schema_version");
        }
        return tables;
    }
}
