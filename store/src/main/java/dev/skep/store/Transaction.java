package dev.skep.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A write under way: what it reads, it reads with its own changes. Not thread-safe. */
public interface Transaction extends Snapshot {
    /** Runs one statement and returns how many rows it changed. */
    int update(String sql, @Nullable Object... parameters);

    /**
     * Inserts many rows with as few statements as possible and returns how many rows changed. The
     * values of a row stand in the order of the statement's columns.
     */
    int insertAll(BulkInsert insert, List<@Nullable Object[]> rows);

    /**
     * Runs one statement once per row of parameters, in as few round trips as the database allows,
     * and returns how many rows each changed.
     */
    int[] updateAll(String sql, List<@Nullable Object[]> rows);

    /**
     * Runs the action once the transaction is durable and before the caller gets its result; on
     * SQLite in commit order. It must not block or write.
     */
    void afterCommit(Runnable action);
}
