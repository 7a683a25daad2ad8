package dev.skep.models.money;

import dev.skep.agents.cost.CostStore;
import dev.skep.kernel.id.AgentId;
import dev.skep.models.ModelCard;
import dev.skep.models.money.lease.HostLeases;
import dev.skep.models.money.lease.LeaseDecision;
import dev.skep.models.money.lease.LentBudget;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Guards the limits of all agents of a runner, the limit of the runner as a whole, and what its
 * hubs have lent it of their budgets. Thread-safe.
 */
public final class Budget {
    /** How soon to look again whether calls under way have ended. */
    private static final Duration CALLS_END = Duration.ofMillis(250);

    /** How soon to look again whether a model has got a price. */
    private static final Duration LOOK_AGAIN = Duration.ofHours(1);

    private final CostStore costs;
    private final InstantSource clock;
    private final @Nullable SpendLedger total;
    private final HostLeases leases;
    private final Map<AgentId, SpendLedger> byAgent = new HashMap<>();

    public Budget(
            CostStore costs, InstantSource clock, @Nullable SpendLimit total, HostLeases leases) {
        this.costs = costs;
        this.clock = clock;
        this.leases = leases;
        this.total = total == null ? null : new SpendLedger(total);
        if (this.total != null) {
            fill(this.total, null);
        }
    }

    /** Sets an agent's limit, counting what it has spent already; null lifts it. */
    public synchronized void limit(AgentId agent, @Nullable SpendLimit limit) {
        if (limit == null) {
            byAgent.remove(agent);
            return;
        }
        SpendLedger ledger = new SpendLedger(limit);
        fill(ledger, agent);
        byAgent.put(agent, ledger);
    }

    private void fill(SpendLedger ledger, @Nullable AgentId only) {
        Instant since = clock.instant().minus(ledger.limit().window());
        for (CostStore.Spent each : costs.spentHereSince(since)) {
            if (only == null || only.equals(each.agent())) {
                ledger.spend(each.at(), each.micros());
            }
        }
    }

    /** Why an agent with a limit, its own or that of all, may not ask a model; empty if it may. */
    public synchronized Optional<BudgetDecision.Refused> unpriced(AgentId agent, ModelCard model) {
        return ledgers(agent).isEmpty() && !leases.limits(agent)
                ? Optional.empty()
                : model.unpriced()
                        .map(
                                why ->
                                        new BudgetDecision.Refused(
                                                why, clock.instant().plus(LOOK_AGAIN)));
    }

    /**
     * Asks for the money of one call: {@code most} if it is there, else what is left, but no less
     * than {@code least}; on a refusal nothing is held.
     */
    public synchronized BudgetDecision reserve(AgentId agent, long least, long most) {
        Instant now = clock.instant();
        List<SpendLedger> ledgers = ledgers(agent);
        long granted = most;
        for (SpendLedger ledger : ledgers) {
            long left = ledger.leftAt(now);
            if (left < least) {
                return ledger.leftWithoutReserved(now) < least
                        ? refused(ledger, least, now)
                        : new BudgetDecision.Held(now.plus(CALLS_END));
            }
            granted = Math.min(granted, left);
        }
        return switch (leases.reserve(agent, least, granted)) {
            case LeaseDecision.Paid paid -> {
                for (SpendLedger ledger : ledgers) {
                    ledger.reserve(paid.micros());
                }
                yield new BudgetDecision.Reserved(paid.micros(), paid);
            }
            case LeaseDecision.Asking() -> new BudgetDecision.Held(now.plus(CALLS_END));
            case LeaseDecision.TooLittle(var budget, var why, var again) ->
                    new BudgetDecision.Refused(words(budget, why), now.plusMillis(again));
        };
    }

    private static String words(@Nullable LentBudget budget, String why) {
        return budget == null
                ? why
                : "budget %s is %s; %s"
                        .formatted(
                                budget.name(),
                                new SpendLimit(
                                        new Dollars(budget.amount()),
                                        Duration.ofMillis(budget.window())),
                                why);
    }

    /** Stores what hubs have lent for a call in the transaction in which the call begins. */
    void durably(Consumer<Consumer<Transaction>> write) {
        leases.durably(write);
    }

    /** Replaces a reservation by what the call cost. */
    public synchronized void settle(AgentId agent, BudgetDecision.Reserved reserved, long micros) {
        Instant now = clock.instant();
        for (SpendLedger ledger : ledgers(agent)) {
            ledger.release(reserved.micros());
            ledger.spend(now, micros);
        }
        leases.settle(reserved.leases(), micros);
    }

    /** What the agent may still spend, by the tightest of its limits; empty without one. */
    public synchronized OptionalLong left(AgentId agent) {
        Instant now = clock.instant();
        LongStream own = ledgers(agent).stream().mapToLong(ledger -> ledger.leftAt(now));
        return LongStream.concat(own, leases.left(agent).stream()).min();
    }

    private List<SpendLedger> ledgers(AgentId agent) {
        List<SpendLedger> ledgers = new ArrayList<>(2);
        SpendLedger own = byAgent.get(agent);
        if (own != null) {
            ledgers.add(own);
        }
        if (total != null) {
            ledgers.add(total);
        }
        return ledgers;
    }

    private BudgetDecision refused(SpendLedger ledger, long least, Instant now) {
        String whose =
                ledger == total ? "the limit of all agents of this runner" : "this agent's limit";
        return new BudgetDecision.Refused(
                "%s is %s; %s is spent and even the shortest reply to the next call may cost %s"
                        .formatted(
                                whose,
                                ledger.limit(),
                                new Dollars(ledger.spentAt(now)),
                                new Dollars(least)),
                ledger.roomAt(least, now));
    }
}
