package dev.skep.store.engine;

import dev.skep.kernel.batch.Batch;
import dev.skep.kernel.batch.Batcher;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database.Work;
import dev.skep.store.Transaction;
import dev.skep.store.jdbc.UncheckedSqlException;
import java.sql.SQLException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
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

    /** Closing finishes the writes already handed in, however long they take. */
    private static final Batcher.Limits LIMITS =
            new Batcher.Limits(1_024, 256, ChronoUnit.FOREVER.getDuration());

    /** A group that is this old takes no more, so that the first in it does not wait long. */
    private static final long GROUP_NANOS = 5_000_000;

    private final SqliteConnection connection;
    private final SqliteErrors errors;
    private final Batcher<PendingWrite<?>> batcher;

    SqliteWriter(SqliteConnection connection, SqliteErrors errors, String name) {
        this.connection = connection;
        this.errors = errors;
        this.batcher =
                new Batcher<>(
                        "writer-" + name,
                        Thread.ofPlatform().daemon(),
                        LIMITS,
                        this::commitTogether,
                        write -> write.fail(closedError()));
    }

    void start() {
        batcher.start();
    }

    <T> T write(Work<Transaction, T> work) {
        if (batcher.isWorker()) {
            throw new IllegalStateException("a write inside a write; pass the transaction on");
        }
        PendingWrite<T> write = new PendingWrite<>(work);
        return batcher.call(write, write.outcome());
    }

    /** One piece at a time, so that other writers do not wait long. */
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

    private static SkepException closedError() {
        return new SkepException(ErrorCode.CLOSED, "the database is closed");
    }

    private void commitTogether(Batch<PendingWrite<?>> batch) {
        PendingWrite<?> first = batch.next();
        if (first == null) {
            return;
        }
        List<PendingWrite<?>> group = new ArrayList<>();
        try {
            connection.run("BEGIN IMMEDIATE");
            long started = System.nanoTime();
            if (run(first) != null) {
                // Nothing else is in it: cheaper than a savepoint for every first write.
                connection.rollbackQuietly();
                return;
            }
            group.add(first);
            while (System.nanoTime() - started <= GROUP_NANOS) {
                PendingWrite<?> next = batch.next();
                if (next == null) {
                    break;
                }
                runBehindSavepoint(next, group);
            }
            connection.run("COMMIT");
        } catch (SQLException e) {
            connection.rollbackQuietly();
            SkepException failure = errors.translate(e);
            batch.taken().forEach(write -> write.fail(failure));
            return;
        }
        group.forEach(SqliteWriter::complete);
    }

    /** Runs a write and fails its caller's future if it throws; returns the failure, or null. */
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

    private static void complete(PendingWrite<?> write) {
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
        batcher.close();
        if (Thread.currentThread().isInterrupted()) {
            // It was not waited for, and may still write.
            return;
        }
        try {
            connection.close();
        } catch (SQLException e) {
            throw errors.translate(e);
        }
    }
}
