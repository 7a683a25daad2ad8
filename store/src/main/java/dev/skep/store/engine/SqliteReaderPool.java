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
import java.util.concurrent.TimeUnit;

/** A few connections that read a SQLite file; a caller that finds none free waits. */
final class SqliteReaderPool implements AutoCloseable {
    private static final int READERS = 4;

    private final SqliteErrors errors;
    private final BlockingQueue<SqliteConnection> idle = new ArrayBlockingQueue<>(READERS);
    private volatile boolean closed;

    SqliteReaderPool(Path file, SqliteErrors errors) throws SQLException {
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
            // Checks `closed` between tries: no connection returns to a closed pool.
            SqliteConnection reader = null;
            while (reader == null) {
                if (closed) {
                    throw new SkepException(ErrorCode.CLOSED, "the database is closed");
                }
                reader = idle.poll(100, TimeUnit.MILLISECONDS);
            }
            return reader;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while reading", e);
        }
    }

    /** Waits for reads under way. */
    @Override
    public void close() {
        try {
            for (int i = 0; i < READERS; i++) {
                take().close();
            }
            closed = true;
        } catch (SQLException e) {
            throw errors.translate(e);
        }
    }
}
