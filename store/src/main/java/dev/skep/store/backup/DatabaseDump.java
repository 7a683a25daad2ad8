package dev.skep.store.backup;

import dev.skep.kernel.row.Column;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Snapshot.Cursor;
import dev.skep.store.SqlDialect;
import dev.skep.store.migration.Migrations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes all rows of a database as of one moment, while others continue to write: one snapshot of
 * SQLite's log, or a REPEATABLE READ transaction of PostgreSQL.
 */
public final class DatabaseDump {
    private static final int TELL_EVERY = 1_000;

    private final Database database;
    private final BackupWriter to;
    private final Progress progress;

    /** Receives the progress. */
    @FunctionalInterface
    public interface Progress {
        void at(String table, long done, long of);
    }

    public DatabaseDump(Database database, BackupWriter to, Progress progress) {
        this.database = database;
        this.to = to;
        this.progress = progress;
    }

    /**
     * Writes the schema's steps and every table; returns how many rows.
     *
     * @param name what this database is in the backup
     */
    public long write(String name) throws IOException {
        try {
            return database.read(snapshot -> dump(name, snapshot));
        } catch (UncheckedIOException e) {
            throw new IOException(e.getCause());
        }
    }

    private long dump(String name, Snapshot snapshot) {
        put(new BackupRecord.Schema(name, Migrations.shipped().stepsOf(database, snapshot)));
        long rows = 0;
        for (BackupRecord.Table table : tables(snapshot)) {
            if (Restores.LEFT_OUT.contains(table.name())) {
                continue;
            }
            put(table);
            rows += rows(snapshot, table);
        }
        return rows;
    }

    private long rows(Snapshot snapshot, BackupRecord.Table table) {
        String columns = String.join(", ", table.columns().stream().map(Column::name).toList());
        long of =
                snapshot.first("SELECT count(*) FROM " + table.name(), row -> row.number(1))
                        .orElse(0L);
        long done = 0;
        try (Cursor<BackupRecord.Row> cursor =
                snapshot.stream(
                        "SELECT %s FROM %s".formatted(columns, table.name()),
                        resultRow -> new BackupRecord.Row(values(table.columns(), resultRow)))) {
            for (BackupRecord.Row row = cursor.next(); row != null; row = cursor.next()) {
                put(row);
                done++;
                if (done % TELL_EVERY == 0) {
                    progress.at(table.name(), done, of);
                }
            }
        }
        return done;
    }

    private static @Nullable Object[] values(List<Column> columns, ResultRow resultRow) {
        @Nullable Object[] values = new Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] =
                    columns.get(i).type() == Column.Type.TEXT
                            ? resultRow.textOrNull(i + 1)
                            : resultRow.numberOrNull(i + 1);
        }
        return values;
    }

    private void put(BackupRecord record) {
        try {
            to.write(record);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every table but the one about migrations, which the schema record is. */
    static List<BackupRecord.Table> tables(Snapshot snapshot) {
        String names =
                snapshot.dialect() == SqlDialect.SQLITE
                        ? """
                        SELECT name FROM sqlite_master
                        WHERE type = 'table' AND name <> 'schema_version' AND name NOT LIKE 'sqlite_%'
                        ORDER BY name
                        """
                        : """
                        SELECT table_name AS name FROM information_schema.tables
                        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
                            AND table_name <> 'schema_version'
                        ORDER BY 1
                        """;
        return snapshot.list(names, row -> row.text("name")).stream()
                .map(name -> new BackupRecord.Table(name, columns(snapshot, name)))
                .toList();
    }

    private static List<Column> columns(Snapshot snapshot, String table) {
        String sql =
                snapshot.dialect() == SqlDialect.SQLITE
                        ? "SELECT name, lower(type) AS type FROM pragma_table_info(?) ORDER BY cid"
                        : """
                        SELECT column_name AS name, data_type AS type FROM information_schema.columns
                        WHERE table_schema = current_schema() AND table_name = ?
                        ORDER BY ordinal_position
                        """;
        return snapshot.list(
                sql,
                row ->
                        (row.text("type").equals("text")
                                        ? Column.text(row.text("name"))
                                        : Column.integer(row.text("name")))
                                .optional(),
                table);
    }
}
