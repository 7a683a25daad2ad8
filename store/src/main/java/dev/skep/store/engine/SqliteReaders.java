package dev.skep.store.engine;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database.Work;
import dev.skep.store.Snapshot;
import dev.skep.store.jdbc.UncheckedSqlException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A few connections that read a SQLite file; whoever finds none free waits for one. */
final class SqliteReaders implements AutoCloseable {
    private static final int READERS = 4;

    private final SqliteErrors errors;
    private final BlockingQueue<SqliteConnection> idle = new ArrayBlockingQueue<>(READERS);

    SqliteReaders(Path file, SqliteErrors errors) throws SQLException {
        this.errors = errors;
        for (int i = 0; i < READERS; i++) {
            idle.add(SqliteConnection.reader(file));
        }
    }

    <T> T read(Work<Snapshot, T> work) {
        SqliteConnection reader = take();
        try {
            reader.run("BEGIN");
            return work.in(reader.transaction());
        } catch (UncheckedSqlException e) {
            throw errors.translate(e.sql());
        } catch (SQLException e) {
            throw errors.translate(e);
        } finally {
            reader.rollbackQuietly();
            idle.add(reader);
        }
    }

    private SqliteConnection take() {
        try {
            return idle.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while reading", e);
        }
    }

    @Override
    public void close() {
        try {
            for (int i = 0; i < READERS; i++) {
                take().close();
            }
        } catch (SQLException e) {
            throw errors.translate(e);
        }
    }
}
