package dev.skep.store.engine;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Consumer;

/** The SQLite database of another process, read while that process may be writing. */
final class ReadOnlyDatabase implements Database {
    private final DatabaseUrl.Sqlite url;
    private final SqliteReaderPool sqliteReaderPool;

    private ReadOnlyDatabase(DatabaseUrl.Sqlite url, SqliteReaderPool sqliteReaderPool) {
        this.url = url;
        this.sqliteReaderPool = sqliteReaderPool;
    }

    static ReadOnlyDatabase open(DatabaseUrl.Sqlite url) {
        if (!Files.exists(url.file())) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "there is no database %s; start its owner once, or point DATABASE_URL elsewhere"
                            .formatted(url));
        }
        SqliteErrors errors = new SqliteErrors(url.file());
        try {
            return new ReadOnlyDatabase(url, new SqliteReaderPool(url.file(), errors));
        } catch (SQLException e) {
            throw errors.translate(e);
        }
    }

    @Override
    public SqlDialect dialect() {
        return SqlDialect.SQLITE;
    }

    @Override
    public String name() {
        return url.toString();
    }

    @Override
    public <T> T write(Work<Transaction, T> work) {
        throw new SkepException(ErrorCode.CONFLICT, url + " was opened for reading only");
    }

    @Override
    public <T> T read(Work<Snapshot, T> work) {
        return sqliteReaderPool.read(work);
    }

    @Override
    public Listening listen(String channel, Consumer<String> listener, Runnable again) {
        return () -> {};
    }

    @Override
    public Listening onWritten(Consumer<Set<String>> listener) {
        return DatabaseFileWatcher.of(url.file(), () -> listener.accept(Set.of()));
    }

    @Override
    public void close() {
        sqliteReaderPool.close();
    }
}
