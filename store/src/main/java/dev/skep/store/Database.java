package dev.skep.store;

/** A migrated database that is ready for reads and durable writes. Thread-safe. */
public interface Database extends AutoCloseable {
    Dialect dialect();

    /** What people call this database: a file or a server address, never with a password. */
    String name();

    /**
     * Runs the work in one transaction and returns when it is durable; if it throws, nothing of it
     * is stored. Writes do not nest. On SQLite the work runs on the writer's thread, so it must not
     * wait for anything.
     */
    <T> T write(Work<Transaction, T> work);

    /** Runs the work on one consistent snapshot. */
    <T> T read(Work<Snapshot, T> work);

    /**
     * Runs the action after commits that took stamps, in whichever process they were made; some may
     * be missed. Where one process writes there is nothing to hear from others.
     */
    default Watch watchFeed(Runnable action) {
        return () -> {};
    }

    /** Finishes the writes already handed in, then closes. */
    @Override
    void close();

    /** Something that is told of changes until it is closed. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** What is done inside a transaction or snapshot. */
    @FunctionalInterface
    interface Work<S, T> {
        T in(S scope);
    }
}
