package dev.skep.runner.loop;

import dev.skep.agents.cost.Cost;
import dev.skep.kernel.retry.Backoff;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelRequest;
import dev.skep.models.Prices;
import dev.skep.models.ToolOffer;
import dev.skep.models.Usage;
import dev.skep.models.UsageCeiling;
import dev.skep.models.money.CallDemand;
import dev.skep.models.money.CountedPrompt;
import dev.skep.models.money.PaidCall;
import dev.skep.models.money.PaidCalls;
import dev.skep.models.money.PaidCalls.Admission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private record Call(ModelRequest request, UsageCeiling demand, PaidCall paid) {}

    private static final long SHORTEST_SUMMARY = 2_048;
    private static final Backoff BACKOFF =
            Backoff.half(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private final AgentDependencies agentDependencies;
    private final AgentSetup setup;
    private final String system;
    private final PaidCalls paidCalls;
    private final PromptSizeEstimator promptSizeEstimator;

    BudgetedModelClient(AgentDependencies agentDependencies, AgentSetup setup, String system) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.system = system;
        this.paidCalls =
                new PaidCalls(
                        agentDependencies.database(),
                        agentDependencies.budget(),
                        agentDependencies.openCalls(),
                        agentDependencies.costs(),
                        agentDependencies.ids(),
                        agentDependencies.clock());
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
        CallDemand demand = new CallDemand(prices, prompt, least, usageCeiling.output());
        Admission admission =
                paidCalls.begin(
                        setup.principal(),
                        sessionRecorder.session().key(),
                        setup.model().card(),
                        source,
                        demand);
        return switch (admission) {
            case Admission.Refused(var why, var until) ->
                    new ModelCallResult.OverBudget(why, until);
            case Admission.Held(var askAgain) -> new ModelCallResult.MoneyHeld(askAgain);
            case Admission.Admitted(var paid) ->
                    ask(
                            sessionRecorder,
                            new Call(wanted.within(paid.output()), usageCeiling, paid));
        };
    }

    private List<ToolOffer> offers() {
        List<ToolOffer> offers =
                new ArrayList<>(agentDependencies.builtIns().offers(setup.model().card()));
        offers.addAll(setup.servers().offers());
        return offers;
    }

    private ModelCallResult ask(SessionRecorder sessionRecorder, Call call)
            throws InterruptedException {
        ModelReply reply;
        AtomicBoolean sent = new AtomicBoolean();
        try {
            reply =
                    setup.controls()
                            .interruptibly(
                                    () -> {
                                        sent.set(true);
                                        return send(call.request());
                                    });
        } catch (InterruptedException | RuntimeException e) {
            if (!sent.get()) {
                sessionRecorder.charge(
                        paidCalls.settle(call.paid(), call.paid().open().source(), Usage.NONE, 0));
                throw e;
            }
            // The provider may charge what was under way; a limit must not be passed by cancelling.
            Cost most = settled(call.paid(), PaidCalls.INTERRUPTED, Usage.NONE.atLeast());
            if (most.micros() > 0) {
                sessionRecorder.charge(most);
            }
            throw e;
        }
        Usage usage = reply.usage();
        boolean broken = reply instanceof ModelReply.Failed && !usage.exact();
        String source = broken ? PaidCalls.INTERRUPTED : call.paid().open().source();
        Cost cost = settled(call.paid(), source, usage);
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
    private Cost settled(PaidCall paid, String source, Usage usage) {
        return paidCalls.settle(
                paid,
                source,
                usage,
                usage.exact() ? setup.model().card().prices().cost(usage) : paid.open().atMost());
    }
}
