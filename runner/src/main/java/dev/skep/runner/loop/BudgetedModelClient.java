package dev.skep.runner.loop;

import dev.skep.agents.cost.Cost;
import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.retry.Backoff;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelRequest;
import dev.skep.models.Prices;
import dev.skep.models.ToolOffer;
import dev.skep.models.Usage;
import dev.skep.models.UsageCeiling;
import dev.skep.models.money.BudgetDecision;
import dev.skep.models.money.CountedPrompt;
import dev.skep.models.money.OpenCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks an agent's model, never without the money for it. */
final class BudgetedModelClient {
    /** What came of it. */
    sealed interface ModelCallResult {
        /**
         * A reply; its cost is to be stored with it.
         *
         * @param counted what the provider counted for the prompt, to be stored too
         */
        record Answered(ModelReply.Answered reply, Cost cost, @Nullable CountedPrompt counted)
                implements ModelCallResult {}

        record Failed(ModelReply.Failed failure) implements ModelCallResult {}

        record OverBudget(String why, Instant until) implements ModelCallResult {}

        /** Calls of others hold the money until they are over. */
        record MoneyHeld(Instant askAgain) implements ModelCallResult {}
    }

    /** One call and what is held for it. */
    private record Call(
            ModelRequest request,
            UsageCeiling demand,
            OpenCall open,
            BudgetDecision.Reserved reserved) {}

    private static final long SHORTEST_SUMMARY = 2_048;
    private static final Backoff BACKOFF =
            Backoff.half(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private final AgentDependencies agentDependencies;
    private final AgentSetup setup;
    private final String system;
    private final PromptSizeEstimator promptSizeEstimator;

    BudgetedModelClient(AgentDependencies agentDependencies, AgentSetup setup, String system) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.system = system;
        this.promptSizeEstimator =
                new PromptSizeEstimator(
                        setup.model().card().name(),
                        agentDependencies
                                .countedPrompts()
                                .of(setup.principal(), setup.agent().id())
                                .orElse(null));
    }

    /** How long to wait after so many failures in a row; never less than the provider asked for. */
    Duration waitAfter(int failures, ModelReply.Failed failed) {
        return BACKOFF.after(failures, failed.retryAfter(), agentDependencies.random());
    }

    ModelCallResult ask(
            String source,
            SessionRecorder sessionRecorder,
            List<ModelMessage> messages,
            boolean mayCommand)
            throws InterruptedException {
        Optional<BudgetDecision.Refused> unpriced =
                agentDependencies.budget().unpriced(setup.agent().id(), setup.model().card());
        if (unpriced.isPresent()) {
            return new ModelCallResult.OverBudget(unpriced.get().reason(), unpriced.get().until());
        }
        ModelRequest wanted =
                new ModelRequest(system, messages, mayCommand, setup.source().content().settings())
                        .with(offers());
        UsageCeiling usageCeiling = setup.model().demand(wanted);
        Prices prices = setup.model().card().prices();
        long prompt = promptSizeEstimator.tokensAtMost(wanted, usageCeiling);
        // An agent goes on from a summary: half of one would make it forget.
        long least =
                mayCommand
                        ? usageCeiling.leastOutput()
                        : Math.min(
                                Math.max(SHORTEST_SUMMARY, usageCeiling.leastOutput()),
                                usageCeiling.output());
        BudgetDecision budgetDecision =
                agentDependencies
                        .budget()
                        .reserve(
                                setup.agent().id(),
                                prices.atMost(prompt, least),
                                prices.atMost(prompt, usageCeiling.output()));
        return switch (budgetDecision) {
            case BudgetDecision.Refused(var why, var until) ->
                    new ModelCallResult.OverBudget(why, until);
            case BudgetDecision.Held(var askAgain) -> new ModelCallResult.MoneyHeld(askAgain);
            case BudgetDecision.Reserved reserved -> {
                // A call that is asked for less than was wanted costs no more than was held for it.
                long output = prices.outputWithin(reserved.micros(), prompt);
                yield ask(
                        sessionRecorder,
                        new Call(
                                wanted.within(Math.min(output, usageCeiling.output())),
                                usageCeiling,
                                open(source, sessionRecorder.session().key(), reserved),
                                reserved));
            }
        };
    }

    private List<ToolOffer> offers() {
        List<ToolOffer> offers = new ArrayList<>(agentDependencies.builtIns().offers());
        offers.addAll(setup.servers().offers());
        return offers;
    }

    private OpenCall open(String source, SessionKey session, BudgetDecision.Reserved reserved) {
        String name = setup.model().card().name();
        Instant now = agentDependencies.clock().instant();
        OpenCall call =
                new OpenCall(
                        agentDependencies.ids().next(),
                        session,
                        name,
                        source,
                        reserved.micros(),
                        now);
        if (call.atMost() > 0) {
            agentDependencies.openCalls().begin(setup.principal(), call);
        }
        return call;
    }

    private ModelCallResult ask(SessionRecorder sessionRecorder, Call call)
            throws InterruptedException {
        ModelReply reply;
        try {
            reply = setup.controls().interruptibly(() -> send(call.request()));
        } catch (InterruptedException | RuntimeException e) {
            // The provider may charge what was under way; a limit must not be passed by cancelling.
            agentDependencies
                    .budget()
                    .settle(setup.agent().id(), call.reserved(), call.open().atMost());
            if (call.open().atMost() > 0) {
                sessionRecorder.charge(cost(call.open(), "interrupted", Usage.NONE.atLeast()));
            }
            throw e;
        }
        Usage usage = reply.usage();
        boolean broken = reply instanceof ModelReply.Failed && !usage.exact();
        Cost cost = cost(call.open(), broken ? "interrupted" : call.open().source(), usage);
        agentDependencies.budget().settle(setup.agent().id(), call.reserved(), cost.micros());
        return switch (reply) {
            case ModelReply.Answered answered ->
                    new ModelCallResult.Answered(
                            answered,
                            cost,
                            promptSizeEstimator.counted(call.request(), call.demand(), usage));
            case ModelReply.Failed failed -> {
                sessionRecorder.charge(cost);
                yield new ModelCallResult.Failed(failed);
            }
        };
    }

    private ModelReply send(ModelRequest request) throws InterruptedException {
        return setup.model()
                .ask(request, piece -> agentDependencies.watcher().writing(setup.agent(), piece));
    }

    /** What nobody counted to its end costs what was held for it. */
    private Cost cost(OpenCall call, String source, Usage usage) {
        return new Cost(
                call.id(),
                call.session(),
                source,
                call.model(),
                usage.exact() ? setup.model().card().prices().cost(usage) : call.atMost(),
                usage.input(),
                usage.output(),
                usage.cacheWrite(),
                usage.cacheRead(),
                agentDependencies.clock().instant());
    }
}
