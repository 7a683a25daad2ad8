package dev.skep.runner.money;

import dev.skep.agents.cost.CostStore;
import dev.skep.kernel.id.AgentId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Guards the limits of all agents of a runner and the limit of the runner as a whole. Thread-safe.
 */
public final class Budget {
    private final CostStore costs;
    private final InstantSource clock;
    private final @Nullable Ledger total;
    private final Map<AgentId, Ledger> byAgent = new HashMap<>();

    public Budget(CostStore costs, InstantSource clock, @Nullable SpendLimit total) {
        this.costs = costs;
        this.clock = clock;
        this.total = total == null ? null : new Ledger(total);
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
        Ledger ledger = new Ledger(limit);
        fill(ledger, agent);
        byAgent.put(agent, ledger);
    }

    private void fill(Ledger ledger, @Nullable AgentId only) {
        Instant since = clock.instant().minus(ledger.limit().window());
        for (CostStore.Spent each : costs.spentHereSince(since)) {
            if (only == null || only.equals(each.agent())) {
                ledger.spend(each.at(), each.micros());
            }
        }
    }

    /** Asks for the money of one call; on a refusal nothing is held. */
    public synchronized Grant reserve(AgentId agent, long atMost) {
        Instant now = clock.instant();
        Ledger own = byAgent.get(agent);
        if (own != null && !own.has(atMost, now)) {
            return refused(own, "this agent's limit", atMost, now);
        }
        if (total != null && !total.has(atMost, now)) {
            return refused(total, "the limit of all agents of this runner", atMost, now);
        }
        ledgers(agent).forEach(ledger -> ledger.reserve(atMost));
        return new Grant.Reserved(atMost);
    }

    /** Replaces a reservation by what the call cost. */
    public synchronized void settle(AgentId agent, Grant.Reserved reserved, long micros) {
        Instant now = clock.instant();
        for (Ledger ledger : ledgers(agent)) {
            ledger.release(reserved.micros());
            ledger.spend(now, micros);
        }
    }

    /** What the agent may still spend, the tighter of both limits; empty without a limit. */
    public synchronized OptionalLong left(AgentId agent) {
        Instant now = clock.instant();
        return ledgers(agent).stream().mapToLong(ledger -> ledger.leftAt(now)).min();
    }

    private List<Ledger> ledgers(AgentId agent) {
        List<Ledger> ledgers = new ArrayList<>(2);
        Ledger own = byAgent.get(agent);
        if (own != null) {
            ledgers.add(own);
        }
        if (total != null) {
            ledgers.add(total);
        }
        return ledgers;
    }

    private static Grant refused(Ledger ledger, String whose, long atMost, Instant now) {
        return new Grant.Refused(
                "%s is %s; %s is spent and the next call may cost %s"
                        .formatted(
                                whose,
                                ledger.limit(),
                                new Dollars(ledger.spentAt(now)),
                                new Dollars(atMost)),
                ledger.roomAt(atMost, now));
    }
}
