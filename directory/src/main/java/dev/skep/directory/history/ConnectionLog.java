package dev.skep.directory.history;

import dev.skep.kernel.batch.Batch;
import dev.skep.kernel.batch.Batcher;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records when links open and close, on a thread of its own, so that no link waits and many at once
 * are one commit. What exceeds the queue is dropped. Thread-safe.
 */
public final class ConnectionLog implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);

    /** Closing writes what is pending, for a short time. */
    private static final Batcher.Limits LIMITS =
            new Batcher.Limits(20_000, 500, Duration.ofSeconds(3));

    private final Database database;
    private final UlidSource ids;
    private final InstantSource clock;
    private final Supplier<String> url;
    private final ConnectionRecordStore store = new ConnectionRecordStore();

    /** Pending writes; each returns how many rows it concerned. */
    private final Batcher<ToIntFunction<Transaction>> unwritten =
            new Batcher<>("link-book", LIMITS, this::commit, _ -> {});

    /** Whether the last commit failed; the batcher's worker owns it. */
    private boolean failing;

    /**
     * @param url where people reach this process, as far as it is known
     */
    public ConnectionLog(
            Database database, UlidSource ids, InstantSource clock, Supplier<String> url) {
        this.database = database;
        this.ids = ids;
        this.clock = clock;
        this.url = url;
    }

    /** Ends a period. */
    @FunctionalInterface
    public interface Entry {
        void closed(String reason);
    }

    @Override
    public void start() {
        if (database.dialect() == SqlDialect.SQLITE) {
            // A file has one process, and that is this one.
            write(transaction -> store.closeAll(transaction, clock.instant()));
        }
        unwritten.start();
    }

    /** A host's link was opened from an address. */
    public Entry opened(Principal.Host host, String address) {
        String id = ids.next();
        var connectionRecord =
                new ConnectionRecord(
                        id, host.id().value(), url.get(), address, clock.instant(), null, null);
        write(transaction -> store.open(transaction, host, connectionRecord));
        return reason -> {
            Instant at = clock.instant();
            write(transaction -> store.close(transaction, id, at, reason));
        };
    }

    /** Deletes those that ended this long ago, and returns how many. */
    public int forget(Duration keep) {
        int all = 0;
        int forgotten;
        do {
            forgotten = database.write(transaction -> store.forget(transaction, keep));
            all += forgotten;
        } while (ConnectionRecordStore.isWholePiece(forgotten));
        return all;
    }

    private void write(ToIntFunction<Transaction> work) {
        if (!unwritten.offer(work)) {
            LOG.debug("a link's period was not written down: too many at once, or closed");
        }
    }

    private void commit(Batch<ToIntFunction<Transaction>> batch) {
        List<ToIntFunction<Transaction>> changes = batch.all();
        try {
            int rows =
                    database.write(
                            transaction ->
                                    changes.stream()
                                            .mapToInt(change -> change.applyAsInt(transaction))
                                            .sum());
            // The end of a link whose beginning was not written down concerns no row, and fails
            // nowhere.
            if (failing && rows > 0) {
                LOG.info("links are written down again");
            }
            failing = failing && rows == 0;
        } catch (SkepException failure) {
            if (!failing) {
                LOG.warn("links not written down reason={}", failure.getMessage());
            }
            failing = true;
        }
    }

    @Override
    public void close() {
        unwritten.close();
    }
}
