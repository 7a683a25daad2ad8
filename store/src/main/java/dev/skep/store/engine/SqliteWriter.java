package dev.skep.store.engine;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database.Work;
import dev.skep.store.Transaction;
import dev.skep.store.jdbc.UncheckedSqlException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single writer of a SQLite file. Writes that wait together are committed together: each but
 * the first runs behind a savepoint, so a write that fails undoes only itself, and all callers are
 * answered after the one commit that makes their writes durable. The queue is bounded; a caller
 * that finds it full waits.
 */
final class SqliteWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);
    private static final int QUEUE = 1_024;

    /** A group closes when it is this large or old, so that the first in it does not wait long. */
    private static final int GROUP = 256;

    private static final long GROUP_NANOS = 5_000_000;

    private final SqliteConnection connection;
    private final SqliteErrors errors;
    private final BlockingQueue<PendingWrite<?>> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread thread;
    private volatile boolean closed;

    SqliteWriter(SqliteConnection connection, SqliteErrors errors, String name) {
        this.connection = connection;
        this.errors = errors;
        this.thread = Thread.ofPlatform().daemon().name("writer-" + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    <T> T write(Work<Transaction, T> work) {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("a write inside a write; pass the transaction on");
        }
        PendingWrite<T> write = new PendingWrite<>(work);
        try {
            // Offering with a look at `closed` between tries: a writer that ended takes no more.
            while (!queue.offer(write, 100, TimeUnit.MILLISECONDS)) {
                refuseIfClosed();
            }
            if (closed && !thread.isAlive()) {
                write.fail(closedError());
            }
            return write.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(
                    ErrorCode.CLOSED, "interrupted while writing; it may or may not be stored", e);
        }
    }

    /** A piece at a time, so that nobody waits long for the writer. */
    boolean giveBackSpace() {
        return write(
                _ -> {
                    try {
                        connection.runToEnd("PRAGMA incremental_vacuum(2000)");
                        return true;
                    } catch (SQLException e) {
                        throw new UncheckedSqlException(e);
                    }
                });
    }

    private void refuseIfClosed() {
        if (closed) {
            throw closedError();
        }
    }

    private static SkepException closedError() {
        return new SkepException(ErrorCode.CLOSED, "the database is closed");
    }

    private void run() {
        while (true) {
            try {
                PendingWrite<?> first = queue.take();
                if (first == PendingWrite.STOP) {
                    return;
                }
                commitTogether(first);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void commitTogether(PendingWrite<?> first) {
        List<PendingWrite<?>> group = new ArrayList<>();
        boolean stop = false;
        try {
            connection.run("BEGIN IMMEDIATE");
            long started = System.nanoTime();
            if (run(first) != null) {
                // Nothing else is in it: cheaper than a savepoint for every first write.
                connection.rollbackQuietly();
                return;
            }
            group.add(first);
            while (group.size() < GROUP && System.nanoTime() - started <= GROUP_NANOS) {
                PendingWrite<?> next = queue.poll();
                stop = next == PendingWrite.STOP;
                if (next == null || stop) {
                    break;
                }
                runBehindSavepoint(next, group);
            }
            connection.run("COMMIT");
        } catch (SQLException e) {
            connection.rollbackQuietly();
            SkepException failure = errors.translate(e);
            first.fail(failure);
            group.forEach(write -> write.fail(failure));
            group.clear();
        }
        group.forEach(SqliteWriter::tell);
        if (stop) {
            queue.add(PendingWrite.STOP);
        }
    }

    /** Runs a write and tells its caller if it fails; returns why, or null if it did not. */
    private @Nullable Throwable run(PendingWrite<?> write) {
        try {
            write.run(connection.transaction());
            return null;
        } catch (RuntimeException | Error failure) {
            write.fail(
                    failure instanceof UncheckedSqlException sql
                            ? errors.translate(sql.sql())
                            : failure);
            return failure;
        }
    }

    /** Adds the write to the group if it succeeded; undoes it alone if only it is at fault. */
    private void runBehindSavepoint(PendingWrite<?> write, List<PendingWrite<?>> group)
            throws SQLException {
        connection.run("SAVEPOINT one");
        Throwable failure = run(write);
        if (failure != null) {
            undoSavepoint(failure);
            return;
        }
        connection.run("RELEASE one");
        group.add(write);
    }

    private void undoSavepoint(Throwable failure) throws SQLException {
        try {
            connection.run("ROLLBACK TO one");
            connection.run("RELEASE one");
        } catch (SQLException e) {
            // SQLite has ended the whole transaction (disk full): the group fails for that reason.
            throw failure instanceof UncheckedSqlException sql ? sql.sql() : e;
        }
    }

    private static void tell(PendingWrite<?> write) {
        for (Runnable action : write.actionsAfterCommit()) {
            try {
                action.run();
            } catch (RuntimeException e) {
                LOG.error("an action after a commit failed", e);
            }
        }
        write.succeed();
    }

    @Override
    public void close() {
        closed = true;
        try {
            queue.put(PendingWrite.STOP);
            thread.join();
            for (PendingWrite<?> late = queue.poll(); late != null; late = queue.poll()) {
                late.fail(closedError());
            }
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            throw errors.translate(e);
        }
    }
}
