package dev.skep.dispatch.queue.ledger;

import dev.skep.store.Database;
import dev.skep.store.Transaction;

/**
 * A run was not in the state that nearly all are. Statements that say which rows they changed cost
 * twice as much as those that only count them; so a group is written expecting no surprise, and if
 * there is one, undone and written again with a look at each run.
 */
public final class BatchMismatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BatchMismatchException() {
        super("a run is not as expected", null, false, false);
    }

    /** Writes a group, and once more if it met a surprise. */
    public static <T> T write(Database database, Work<T> work) {
        try {
            return database.write(transaction -> work.in(transaction, false));
        } catch (BatchMismatchException e) {
            return database.write(transaction -> work.in(transaction, true));
        }
    }

    /** What is done in a transaction; with a look at each run if it is done again. */
    @FunctionalInterface
    public interface Work<T> {
        T in(Transaction transaction, boolean looking);
    }
}
