package dev.skep.sync.module;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Of several processes on one hub's database, one at a time keeps the links to other hubs: to those
 * they are one host, and each new link of a host ends the one before. Only a process that was
 * enrolled with other hubs takes a turn, and only while it has the turn does it know what they must
 * have before it goes here.
 */
public final class UpstreamLease implements Component {
    private static final Duration LOOK = Duration.ofSeconds(3);
    private static final Duration TERM = Duration.ofSeconds(12);

    /** A hub that never has anything. */
    private static final String UNKNOWN = "";

    private final Database database;
    private final String place;
    private final String self;
    private final InstantSource steady;
    private final BooleanSupplier hasHubs;
    private final Runnable begin;
    private final Runnable end;
    private final PeriodicTask looking =
            new PeriodicTask("upstream-turn", Duration.ZERO, LOOK, this::look);
    private volatile boolean mine;
    private boolean leftNothing;

    /**
     * Holds no lease yet.
     *
     * @param place where this process keeps its enrolments, whichever process it is
     * @param process distinguishes it from the others
     * @param hasHubs whether there are hubs to join
     */
    public UpstreamLease(
            Database database,
            String place,
            String process,
            InstantSource steady,
            BooleanSupplier hasHubs,
            Runnable begin,
            Runnable end) {
        this.database = database;
        this.place = place + "/";
        this.self = this.place + process;
        this.steady = steady;
        this.hasHubs = hasHubs;
        this.begin = begin;
        this.end = end;
    }

    /** A file is one process's anyway. */
    @Override
    public void start() {
        if (database.dialect() == SqlDialect.SQLITE) {
            mine = true;
            begin.run();
        } else {
            looking.start();
        }
    }

    /**
     * The hubs that must have this hub's own rows before they are purged. Without the lease they
     * are unknown, if there were ever hubs to join: another process may have enrolled with them.
     *
     * @param known those that this process knows
     */
    public List<String> awaited(List<String> known) {
        return mine || (known.isEmpty() && holder().isEmpty()) ? known : List.of(UNKNOWN);
    }

    /** Whether it is the turn of another process. */
    public boolean isAnothers() {
        Instant now = steady.instant();
        return holder().filter(held -> !held.by.equals(self) && !held.until.isBefore(now))
                .isPresent();
    }

    private record Held(String by, Instant until) {}

    private Optional<Held> holder() {
        return database.read(
                db ->
                        db.first(
                                "SELECT holder, until FROM upstream_turn WHERE one = 1",
                                row -> new Held(row.text("holder"), row.time("until"))));
    }

    /** Checks once who holds the lease. */
    public void look() {
        boolean was = mine;
        mine = hasHubs.getAsBoolean() ? taken() : left();
        if (mine && !was) {
            begin.run();
        } else if (was && !mine) {
            end.run();
        }
    }

    /** Without the database the holder is unknown; then this process does not hold the lease. */
    private boolean taken() {
        try {
            leftNothing = false;
            Instant now = steady.instant();
            return database.write(transaction -> take(transaction, now)) == 1;
        } catch (SkepException unreachable) {
            return false;
        }
    }

    /** Gives up the lease of this place, so that its hubs are no longer awaited. */
    private boolean left() {
        try {
            if (!leftNothing) {
                database.write(
                        tx ->
                                tx.update(
                                        "DELETE FROM upstream_turn WHERE holder LIKE ?",
                                        place + "%"));
                leftNothing = true;
            }
        } catch (SkepException unreachable) {
            // With the next look.
        }
        return false;
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

    /**
     * The next one need not wait for the term to end. That there was a turn stays known: what this
     * hub owns must not go while those are away who know where it must be first.
     */
    public void giveUp() {
        Instant past = steady.instant().minus(TERM);
        try {
            database.write(
                    tx ->
                            tx.update(
                                    "UPDATE upstream_turn SET until = ? WHERE holder = ?",
                                    past,
                                    self));
        } catch (SkepException unreachable) {
            // It ends by itself.
        }
    }

    @Override
    public void close() {
        if (database.dialect() != SqlDialect.SQLITE) {
            looking.close();
            giveUp();
        }
        if (mine) {
            end.run();
        }
    }
}
