package dev.skep.app.assembly;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.store.Database;
import dev.skep.store.Dialect;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Of several processes on one hub's database, one at a time keeps the links to other hubs: to those
 * they are one host, and each new link of a host ends the one before.
 */
final class UpstreamTurn implements Component {
    private static final Duration LOOK = Duration.ofSeconds(3);
    private static final Duration TERM = Duration.ofSeconds(12);

    private final Database database;
    private final String self;
    private final InstantSource steady;
    private final Runnable begin;
    private final Runnable end;
    private final PeriodicTask looking =
            new PeriodicTask("upstream-turn", Duration.ZERO, LOOK, this::look);
    private boolean mine;

    /**
     * Nobody's turn yet.
     *
     * @param self tells this process from the others
     */
    UpstreamTurn(
            Database database, String self, InstantSource steady, Runnable begin, Runnable end) {
        this.database = database;
        this.self = self;
        this.steady = steady;
        this.begin = begin;
        this.end = end;
    }

    /** A file is one process's anyway. */
    @Override
    public void start() {
        if (database.dialect() == Dialect.SQLITE) {
            mine = true;
            begin.run();
        } else {
            looking.start();
        }
    }

    private void look() {
        boolean was = mine;
        mine = taken();
        if (mine && !was) {
            begin.run();
        } else if (was && !mine) {
            end.run();
        }
    }

    /** Without the database nobody knows whose turn it is: then it is not this process's. */
    private boolean taken() {
        try {
            Instant now = steady.instant();
            return database.write(transaction -> take(transaction, now)) == 1;
        } catch (SkepException unreachable) {
            return false;
        }
    }

    private int take(Transaction transaction, Instant now) {
        return transaction.update(
                """
                INSERT INTO upstream_turn (one, holder, until) VALUES (1, ?, ?)
                ON CONFLICT (one) DO UPDATE SET holder = excluded.holder, until = excluded.until
                WHERE upstream_turn.holder = excluded.holder OR upstream_turn.until < ?
                """,
                self,
                now.plus(TERM),
                now);
    }

    /** The next one need not wait for the term to end. */
    @Override
    public void close() {
        if (database.dialect() != Dialect.SQLITE) {
            looking.close();
            try {
                database.write(tx -> tx.update("DELETE FROM upstream_turn WHERE holder = ?", self));
            } catch (SkepException unreachable) {
                // It ends by itself.
            }
        }
        if (mine) {
            end.run();
        }
    }
}
