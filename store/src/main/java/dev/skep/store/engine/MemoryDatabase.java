package dev.skep.store.engine;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import dev.skep.store.jdbc.JdbcTransaction;
import dev.skep.store.jdbc.UncheckedSqlException;
import dev.skep.store.jdbc.WrittenTables;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A SQLite database in memory, which ends with the process. One connection holds all of it, so
 * readers and writers take turns.
 */
final class MemoryDatabase implements Database {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryDatabase.class);
    private static final Path NOWHERE = Path.of(":memory:");

    private final SqliteErrors errors = new SqliteErrors(NOWHERE);
    private final WrittenTables writtenTables = new WrittenTables();
    private final ReentrantLock lock = new ReentrantLock();
    private final SqliteConnection connection;
    private boolean closed;

    MemoryDatabase() {
        try {
            connection = SqliteConnection.writer(NOWHERE, writtenTables);
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
        return "in memory";
    }

    @Override
    public <T> T write(Work<Transaction, T> work) {
        if (lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("a write inside a write; pass the transaction on");
        }
        JdbcTransaction transaction = connection.transaction();
        T result = inside("BEGIN IMMEDIATE", "COMMIT", () -> work.in(transaction));
        runAll(transaction.actionsAfterCommit());
        return result;
    }

    @Override
    public <T> T read(Work<Snapshot, T> work) {
        // A read within a write sees what it has written so far.
        return lock.isHeldByCurrentThread()
                ? work.in(connection.transaction())
                : inside("BEGIN", "ROLLBACK", () -> work.in(connection.transaction()));
    }

    /** What is done between the beginning and the end of a transaction. */
    @FunctionalInterface
    private interface TransactionBody<T> {
        T result();
    }

    private <T> T inside(String begin, String end, TransactionBody<T> transactionBody) {
        lock.lock();
        try {
            if (closed) {
                throw new SkepException(ErrorCode.CLOSED, "the database is closed");
            }
            connection.run(begin);
            T result = transactionBody.result();
            connection.run(end);
            return result;
        } catch (UncheckedSqlException e) {
            connection.rollbackQuietly();
            throw errors.translate(e.sql());
        } catch (SQLException e) {
            connection.rollbackQuietly();
            throw errors.translate(e);
        } catch (RuntimeException | Error e) {
            connection.rollbackQuietly();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private static void runAll(List<Runnable> actions) {
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (RuntimeException e) {
                LOG.error("an action after a commit failed", e);
            }
        }
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
        lock.lock();
        try {
            closed = true;
            connection.close();
        } catch (SQLException e) {
            throw errors.translate(e);
        } finally {
            lock.unlock();
        }
    }
}
