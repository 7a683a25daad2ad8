package dev.skep.models.money;

import dev.skep.agents.cost.Cost;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.ModelCard;
import dev.skep.models.Usage;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The one way to spend money on a model: what a call can cost is held and stored before it is made,
 * and replaced by what it did cost. Thread-safe.
 */
public final class PaidCalls {
    /** Why a cost is more than what somebody counted. */
    public static final String INTERRUPTED = "interrupted";

    private final Database database;
    private final Budget budget;
    private final OpenCallStore openCalls;
    private final CostStore costs;
    private final UlidSource ids;
    private final InstantSource clock;

    public PaidCalls(
            Database database,
            Budget budget,
            OpenCallStore openCalls,
            CostStore costs,
            UlidSource ids,
            InstantSource clock) {
        this.database = database;
        this.budget = budget;
        this.openCalls = openCalls;
        this.costs = costs;
        this.ids = ids;
        this.clock = clock;
    }

    /** Whether a call may be made. */
    public sealed interface Admission {
        record Admitted(PaidCall call) implements Admission {}

        /** Calls of others hold the money until they are over. */
        record Held(Instant askAgain) implements Admission {}

        record Refused(String why, Instant until) implements Admission {}
    }

    /** Holds the money of a call; durable when this returns. */
    public Admission begin(
            Principal who, SessionKey session, ModelCard model, String source, CallDemand demand) {
        Optional<BudgetDecision.Refused> unpriced = budget.unpriced(session.agent(), model);
        if (unpriced.isPresent()) {
            return new Admission.Refused(unpriced.get().reason(), unpriced.get().until());
        }
        BudgetDecision decision =
                budget.reserve(
                        session.agent(),
                        demand.prices().atMost(demand.prompt(), demand.leastOutput()),
                        demand.prices().atMost(demand.prompt(), demand.output()));
        return switch (decision) {
            case BudgetDecision.Refused(var why, var until) -> new Admission.Refused(why, until);
            case BudgetDecision.Held(var askAgain) -> new Admission.Held(askAgain);
            case BudgetDecision.Reserved reserved ->
                    new Admission.Admitted(stored(who, session, model, source, demand, reserved));
        };
    }

    /** What the agent may still spend; empty without a limit. */
    public OptionalLong left(AgentId agent) {
        return budget.left(agent);
    }

    private PaidCall stored(
            Principal who,
            SessionKey session,
            ModelCard model,
            String source,
            CallDemand demand,
            BudgetDecision.Reserved reserved) {
        OpenCall open =
                new OpenCall(
                        ids.next(),
                        session,
                        model.name(),
                        source,
                        reserved.micros(),
                        clock.instant());
        if (open.atMost() > 0) {
            try {
                budget.durably(also -> openCalls.begin(who, open, also));
            } catch (RuntimeException notStored) {
                budget.settle(session.agent(), reserved, 0);
                throw notStored;
            }
        }
        // A call that is asked for less than was wanted costs no more than was held for it.
        long output = demand.prices().outputWithin(reserved.micros(), demand.prompt());
        return new PaidCall(open, reserved, Math.min(output, demand.output()));
    }

    /** Gives the rest of the money back; the cost is to be stored by the caller. */
    public Cost settle(PaidCall call, String source, Usage usage, long micros) {
        budget.settle(call.open().session().agent(), call.reserved(), micros);
        return new Cost(
                call.open().id(),
                call.open().session(),
                source,
                call.open().model(),
                micros,
                usage.input(),
                usage.output(),
                usage.cacheWrite(),
                usage.cacheRead(),
                clock.instant());
    }

    /** Stores a cost and that its call is over, at once; what cost nothing leaves no row. */
    public void book(Cost cost) {
        database.write(
                transaction -> {
                    book(transaction, cost);
                    return cost;
                });
    }

    private void book(Transaction transaction, Cost cost) {
        if (cost.micros() > 0 || cost.inputTokens() > 0) {
            costs.append(transaction, cost);
        }
        openCalls.end(transaction, cost.id());
    }
}
