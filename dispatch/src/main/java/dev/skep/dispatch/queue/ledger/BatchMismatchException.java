package dev.skep.dispatch.queue.ledger;

import dev.skep.store.Database;
import dev.skep.store.Transaction;

/**
 * A run was not in the state that nearly all runs are in. Statements that return which rows they
 * changed cost twice as much as those that only count them. So a batch is written on the assumption
 * that every run is as expected; if one is not, the batch is rolled back and written again with a
 * check of each run.
 */
public final class BatchMismatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BatchMismatchException() {
        super("a run is not as expected", null, false, false);
    }

    /** Writes a batch, and once more run by run if a run was not as expected. */
    public static <T> T write(Database database, Work<T> work) {
        try {
            return database.write(transaction -> work.in(transaction, false));
        } catch (BatchMismatchException e) {
            return database.write(transaction -> work.in(transaction, true));
        }
    }

    /** Work in a transaction; it checks each run if it is repeated. */
    @FunctionalInterface
    public interface Work<T> {
        T in(Transaction transaction, boolean looking);
    }
}
