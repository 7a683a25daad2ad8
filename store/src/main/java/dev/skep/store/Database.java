package dev.skep.store;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** A migrated database that is ready for reads and durable writes. Thread-safe. */
public interface Database extends AutoCloseable {
    SqlDialect dialect();

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
     * Receives what any process on this database sends with {@code pg_notify} on the channel;
     * nothing on SQLite, which one process owns. Messages are lost while the connection is down.
     * The listener must not block.
     */
    default Listening listen(String channel, Consumer<String> listener) {
        return listen(channel, listener, () -> {});
    }

    /**
     * As above.
     *
     * @param again is run when the connection was lost and is there again: what was sent in between
     *     is not known
     */
    Listening listen(String channel, Consumer<String> listener, Runnable again);

    /**
     * Calls the listener after each commit of this process with the tables it wrote; an empty set
     * means any table, for example when another process changed a file opened read-only. The
     * listener must not block.
     */
    Listening onWritten(Consumer<Set<String>> listener);

    /**
     * Gives a piece of the space that deleted rows left back to the disk, and returns whether there
     * is more; a server does so by itself.
     */
    default boolean giveBackSpace() {
        return false;
    }

    /** What a file holds, in bytes without the space that is free in it; empty for a server. */
    default OptionalLong usedBytes() {
        return OptionalLong.empty();
    }

    /**
     * The same database for callers that must not wait long: a statement that the server does not
     * answer in that time fails, whether the server is slow, locked or frozen. What then became of
     * a write is not known, as when a connection breaks. A file answers at once or fails by itself.
     *
     * @return valid until this database is closed, which closes it too
     */
    default Database within(Duration patience) {
        return this;
    }

    /** Whether its disk has room for a usual write; a server knows that itself. */
    default boolean hasRoom() {
        return true;
    }

    /** Ends a listening. */
    interface Listening extends AutoCloseable {
        @Override
        void close();
    }

    /** Finishes the writes already handed in, then closes. */
    @Override
    void close();

    /** What is done inside a transaction or snapshot. */
    @FunctionalInterface
    interface Work<S, T> {
        T in(S scope);
    }
}
