package dev.skep.store.engine;

import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import dev.skep.store.jdbc.WrittenTables;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** A SQLite file in WAL mode: one writer, a few readers that never wait for it. */
final class SqliteDatabase implements Database {
    private final Path file;
    private final DatabaseFileLock databaseFileLock;
    private final SqliteWriter writer;
    private final SqliteReaderPool sqliteReaderPool;
    private final WrittenTables writtenTables = new WrittenTables();

    private SqliteDatabase(Path file, DatabaseFileLock databaseFileLock) throws SQLException {
        SqliteErrors errors = new SqliteErrors(file);
        this.file = file;
        this.databaseFileLock = databaseFileLock;
        this.writer =
                new SqliteWriter(
                        SqliteConnection.writer(file, writtenTables),
                        errors,
                        String.valueOf(file.getFileName()));
        this.sqliteReaderPool = new SqliteReaderPool(file, errors);
    }

    /** Opens the file for this process alone; other processes may read. */
    static SqliteDatabase open(Path file) {
        DatabaseFileLock databaseFileLock = DatabaseFileLock.of(file);
        try {
            SqliteDatabase database = new SqliteDatabase(file, databaseFileLock);
            database.writer.start();
            return database;
        } catch (SQLException e) {
            databaseFileLock.close();
            throw new SqliteErrors(file).translate(e);
        }
    }

    @Override
    public SqlDialect dialect() {
        return SqlDialect.SQLITE;
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public <T> T write(Work<Transaction, T> work) {
        return writer.write(work);
    }

    @Override
    public <T> T read(Work<Snapshot, T> work) {
        return sqliteReaderPool.read(work);
    }

    @Override
    public boolean giveBackSpace() {
        return read(snapshot -> pragma(snapshot, "freelist_count")) > 0 && writer.giveBackSpace();
    }

    @Override
    public OptionalLong usedBytes() {
        return OptionalLong.of(
                read(
                        snapshot -> {
                            long pages = pragma(snapshot, "page_count");
                            long free = pragma(snapshot, "freelist_count");
                            return (pages - free) * pragma(snapshot, "page_size");
                        }));
    }

    @Override
    public boolean hasRoom() {
        return new SqliteErrors(file).hasRoom();
    }

    private static long pragma(Snapshot snapshot, String name) {
        return snapshot.first("PRAGMA " + name, row -> row.number(1)).orElse(0L);
    }

    @Override
    public Listening listen(String channel, Consumer<String> listener, Runnable again) {
        return () -> {};
    }

    @Override
    public Listening onWritten(Consumer<Set<String>> listener) {
        return writtenTables.listen(listener);
    }

    @Override
    public void close() {
        // The writer last: only a connection that may write folds the log into the file.
        sqliteReaderPool.close();
        writer.close();
        databaseFileLock.close();
    }
}
