package dev.skep.models.money.lease;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.store.backup.Restores;
import dev.skep.store.clock.ClockReading;
import dev.skep.wire.call.BudgetAnswer;
import dev.skep.wire.call.BudgetExchange;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What this host holds of its hubs' budgets: the {@link LeaseWallet} with its database and clocks.
 * Thread-safe.
 */
public final class HostLeases implements Component {
    /** Clocks that step back are noticed before the machine can start anew. */
    private static final Duration LOOKS_EVERY = Duration.ofSeconds(1);

    private final Database database;
    private final UlidSource ids;
    private final Supplier<ClockReading> clock;
    private final LeaseWallet wallet;
    private final boolean restored;
    private final PeriodicTask looking = new PeriodicTask("lease-clock", LOOKS_EVERY, this::look);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** One exchange at a time, so that each answers the state that the one before left. */
    private final ReentrantLock exchanging = new ReentrantLock();

    /** One write at a time: each stores what differs from the one before. */
    private final ReentrantLock storing = new ReentrantLock();

    /** What the database has; null where a write failed and it is not known. */
    private volatile @Nullable WalletState written;

    private HostLeases(
            Database database,
            UlidSource ids,
            Supplier<ClockReading> clock,
            WalletState stored,
            boolean restored) {
        this.database = database;
        this.ids = ids;
        this.clock = clock;
        this.wallet = new LeaseWallet(stored);
        this.written = stored;
        this.restored = restored;
    }

    /** Goes on with what the database has. */
    public static HostLeases open(Database database, UlidSource ids, Supplier<ClockReading> clock) {
        return database.read(
                snapshot ->
                        new HostLeases(
                                database,
                                ids,
                                clock,
                                LeaseStore.read(snapshot, ids::next),
                                !Restores.last(snapshot).isEmpty()));
    }

    @Override
    public void start() {
        looking.start();
    }

    @Override
    public void close() {
        looking.close();
    }

    /** Is run when a hub should be asked at once. */
    public void onAsking(Runnable listener) {
        listeners.add(listener);
    }

    public void onAskingNoMore(Runnable listener) {
        listeners.remove(listener);
    }

    public synchronized boolean limits(AgentId agent) {
        return wallet.limits(agent);
    }

    public synchronized OptionalLong left(AgentId agent) {
        return wallet.left(agent, clock.get());
    }

    public LeaseDecision reserve(AgentId agent, long least, long most) {
        LeaseDecision decision;
        synchronized (this) {
            decision = wallet.reserve(agent, least, most, clock.get());
        }
        if (decision instanceof LeaseDecision.Asking) {
            listeners.forEach(Runnable::run);
        }
        return decision;
    }

    public synchronized void settle(LeaseDecision.Paid paid, long micros) {
        wallet.settle(paid, micros, clock.get());
    }

    /**
     * Stores the leases in a transaction of the caller, which is durable when this returns: a crash
     * must not forget what a call takes.
     *
     * @param write runs a transaction in which it passes on what it is given
     */
    public void durably(Consumer<Consumer<Transaction>> write) {
        if (!isInUse()) {
            write.accept(_ -> {});
            return;
        }
        storing.lock();
        try {
            write.accept(this::store);
        } catch (RuntimeException e) {
            written = null;
            throw e;
        } finally {
            storing.unlock();
        }
    }

    private synchronized boolean isInUse() {
        return !wallet.state().hubs().isEmpty();
    }

    private void store(Transaction transaction) {
        WalletState now = state();
        WalletState before = written;
        if (before == null) {
            LeaseStore.writeAll(transaction, now);
        } else {
            LeaseStore.write(transaction, before, now);
        }
        written = now;
    }

    private void storeNow() {
        storing.lock();
        try {
            boolean _ =
                    database.write(
                            transaction -> {
                                store(transaction);
                                return true;
                            });
        } catch (RuntimeException e) {
            written = null;
            throw e;
        } finally {
            storing.unlock();
        }
    }

    private void look() {
        boolean ended;
        synchronized (this) {
            ended = wallet.endsSome(clock.get());
        }
        if (ended) {
            storeNow();
        }
    }

    /**
     * A hub may limit this host from now on.
     *
     * @param lost whether this host lost its database and waits for what the hub has of it
     */
    public void join(String hub, boolean lost) {
        synchronized (this) {
            wallet.join(hub, !restored && !lost);
        }
    }

    /** A hub may not limit this host any more. */
    public void leave(String hub) {
        synchronized (this) {
            if (wallet.ledger(hub) == null) {
                return;
            }
            wallet.leave(hub);
        }
        storeNow();
    }

    /**
     * Tells a hub what is held of it and asks for more, until nothing waits for it.
     *
     * @param ask throws where the hub cannot be reached
     */
    public void exchange(String hub, Function<BudgetExchange, BudgetAnswer> ask) {
        exchanging.lock();
        try {
            BudgetExchange told;
            synchronized (this) {
                told = wallet.exchange(hub, clock.get(), ids::next);
            }
            storeNow();
            BudgetAnswer answer = ask.apply(told);
            synchronized (this) {
                wallet.answered(hub, answer, clock.get());
            }
            storeNow();
        } catch (RuntimeException e) {
            unreachable(hub);
            throw e;
        } finally {
            exchanging.unlock();
        }
    }

    private synchronized void unreachable(String hub) {
        wallet.unreachable(hub);
    }

    public synchronized boolean isAsking(String hub) {
        return wallet.isAsking(hub);
    }

    public synchronized WalletState state() {
        return wallet.state();
    }
}
