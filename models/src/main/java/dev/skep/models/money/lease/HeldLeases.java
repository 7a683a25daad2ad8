package dev.skep.models.money.lease;

import dev.skep.models.money.lease.HeldLease.State;
import dev.skep.store.clock.ClockReading;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The leases that this host holds or has yet to settle, and which of them pay for calls under way.
 * Not thread-safe.
 */
final class HeldLeases {
    private final Map<String, HeldLease> leases = new TreeMap<>();
    private final Map<String, Integer> underWay = new HashMap<>();

    HeldLeases(List<HeldLease> stored) {
        stored.forEach(this::put);
    }

    Collection<HeldLease> all() {
        return Collections.unmodifiableCollection(leases.values());
    }

    void put(HeldLease lease) {
        leases.put(lease.id(), lease);
    }

    void removeIf(Predicate<BudgetKey> gone) {
        leases.values().removeIf(lease -> gone.test(lease.key()));
    }

    /** The fullest open lease. */
    Optional<HeldLease> best(BudgetKey key, ClockReading now) {
        return leases.values().stream()
                .filter(lease -> lease.key().equals(key) && lease.state() == State.OPEN)
                .toList()
                .stream()
                .map(lease -> counted(lease, now))
                .filter(lease -> lease.state() == State.OPEN)
                .max(Comparator.comparingLong(HeldLease::spendable));
    }

    private HeldLease counted(HeldLease lease, ClockReading now) {
        HeldLease counted = lease.at(now);
        put(counted);
        return counted;
    }

    /** Counts the time of all until now; whether that ends some. */
    boolean endsSome(ClockReading now) {
        boolean ended = false;
        for (HeldLease lease : List.copyOf(leases.values())) {
            ended |= counted(lease, now).state() != lease.state();
        }
        return ended;
    }

    /** Counts the time of those of a hub until now. */
    void count(String hub, ClockReading now) {
        leases.replaceAll((_, lease) -> lease.key().hub().equals(hub) ? lease.at(now) : lease);
    }

    /** A call begins that may take this much of a lease. */
    void pay(HeldLease payer, long granted) {
        put(payer.spending(granted));
        underWay.merge(payer.id(), 1, Integer::sum);
    }

    /**
     * A call that a lease paid for is over.
     *
     * @param more what it cost beyond what it might take, below zero if it cost less
     * @return the lease as it was, unless it is gone
     */
    Optional<HeldLease> paid(String id, long more) {
        HeldLease lease = leases.get(id);
        if (lease != null) {
            put(lease.spending(more));
            underWay.computeIfPresent(id, (_, calls) -> calls > 1 ? calls - 1 : null);
        }
        return Optional.ofNullable(lease);
    }

    /** The fullest open lease of each budget of a hub. */
    Map<BudgetKey, HeldLease> newest(String hub) {
        Map<BudgetKey, HeldLease> newest = new HashMap<>();
        for (HeldLease lease : leases.values()) {
            if (lease.key().hub().equals(hub) && lease.state() == State.OPEN) {
                newest.merge(lease.key(), lease, (a, b) -> a.spendable() > b.spendable() ? a : b);
            }
        }
        return newest;
    }

    /**
     * Moves each lease of a hub on that is of no more use.
     *
     * @param least what the smallest call needs that waits for more of a budget; 0 if none waits
     */
    void closeWhatIsOver(
            String hub, ToLongFunction<BudgetKey> least, Map<BudgetKey, LentBudget> budgets) {
        Map<BudgetKey, HeldLease> newest = newest(hub);
        for (HeldLease lease : List.copyOf(leases.values())) {
            if (!lease.key().hub().equals(hub)) {
                continue;
            }
            HeldLease now = lease;
            // What is too little for any call is returned with the request for more.
            boolean tooLittle = now.spendable() < least.applyAsLong(now.key());
            if (now.state() == State.OPEN && (tooLittle || !now.equals(newest.get(now.key())))) {
                now = now.as(State.DRAINING);
            }
            if (now.state() == State.DRAINING && !underWay.containsKey(now.id())) {
                now = now.as(State.CLOSED);
            }
            put(now);
            LentBudget budget = budgets.get(now.key());
            if (now.state() == State.SETTLED
                    && (budget == null || now.rested() > budget.window() + now.lasts())) {
                leases.remove(now.id());
            }
        }
    }

    /** A hub has taken a lease back; what was spent of it counts on for the budget's window. */
    void settled(String hub, String id) {
        HeldLease lease = leases.get(id);
        if (lease != null && lease.key().hub().equals(hub) && lease.state() == State.CLOSED) {
            if (lease.spent() == 0) {
                leases.remove(id);
            } else {
                put(lease.as(State.SETTLED));
            }
        }
    }
}
