package dev.skep.runner.loop;

import dev.skep.agents.cost.Cost;
import dev.skep.agents.session.SessionKey;
import dev.skep.runner.model.Demand;
import dev.skep.runner.model.Message;
import dev.skep.runner.model.ModelReply;
import dev.skep.runner.model.ModelRequest;
import dev.skep.runner.model.Prices;
import dev.skep.runner.model.Usage;
import dev.skep.runner.money.CountedPrompt;
import dev.skep.runner.money.Grant;
import dev.skep.runner.money.OpenCall;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks an agent's model, never without the money for it. */
final class Asker {
    /** What came of it. */
    sealed interface Asked {
        /**
         * A reply; its cost is to be stored with it.
         *
         * @param counted what the provider counted for the prompt, to be stored too
         */
        record Answered(ModelReply.Answered reply, Cost cost, @Nullable CountedPrompt counted)
                implements Asked {}

        record Failed(ModelReply.Failed failure) implements Asked {}

        record OverBudget(String why, Instant until) implements Asked {}

        /** Calls of others hold the money until they are over. */
        record MoneyHeld(Instant askAgain) implements Asked {}
    }

    /** One call and what is held for it. */
    private record Call(
            ModelRequest request, Demand demand, OpenCall open, Grant.Reserved reserved) {}

    private static final long SHORTEST_SUMMARY = 2_048;

    private final Tools tools;
    private final AgentSetup setup;
    private final String system;
    private final Prompts prompts;

    Asker(Tools tools, AgentSetup setup, String system) {
        this.tools = tools;
        this.setup = setup;
        this.system = system;
        this.prompts =
                new Prompts(
                        setup.model().card().name(),
                        tools.countedPrompts()
                                .of(setup.principal(), setup.agent().id())
                                .orElse(null));
    }

    Asked ask(String source, Journal journal, List<Message> messages, boolean mayCommand)
            throws InterruptedException {
        Optional<Grant.Refused> unpriced =
                tools.budget().unpriced(setup.agent().id(), setup.model().card());
        if (unpriced.isPresent()) {
            return new Asked.OverBudget(unpriced.get().reason(), unpriced.get().until());
        }
        ModelRequest wanted =
                new ModelRequest(system, messages, mayCommand, setup.source().content().settings());
        Demand demand = setup.model().demand(wanted);
        Prices prices = setup.model().card().prices();
        long prompt = prompts.tokensAtMost(wanted, demand);
        // An agent goes on from a summary: half of one would make it forget.
        long least =
                mayCommand
                        ? demand.leastOutput()
                        : Math.min(
                                Math.max(SHORTEST_SUMMARY, demand.leastOutput()), demand.output());
        Grant grant =
                tools.budget()
                        .reserve(
                                setup.agent().id(),
                                prices.atMost(prompt, least),
                                prices.atMost(prompt, demand.output()));
        return switch (grant) {
            case Grant.Refused(var why, var until) -> new Asked.OverBudget(why, until);
            case Grant.Held(var askAgain) -> new Asked.MoneyHeld(askAgain);
            case Grant.Reserved reserved -> {
                // A call that is asked for less than was wanted costs no more than was held for it.
                long output = prices.outputWithin(reserved.micros(), prompt);
                yield ask(
                        journal,
                        new Call(
                                wanted.within(Math.min(output, demand.output())),
                                demand,
                                open(source, journal.session().key(), reserved),
                                reserved));
            }
        };
    }

    private OpenCall open(String source, SessionKey session, Grant.Reserved reserved) {
        String name = setup.model().card().name();
        Instant now = tools.clock().instant();
        OpenCall call =
                new OpenCall(tools.ids().next(), session, name, source, reserved.micros(), now);
        if (call.atMost() > 0) {
            tools.openCalls().begin(setup.principal(), call);
        }
        return call;
    }

    private Asked ask(Journal journal, Call call) throws InterruptedException {
        ModelReply reply;
        try {
            reply = setup.controls().interruptibly(() -> send(call.request()));
        } catch (InterruptedException | RuntimeException e) {
            // The provider may charge what was under way; a limit must not be passed by cancelling.
            tools.budget().settle(setup.agent().id(), call.reserved(), call.open().atMost());
            if (call.open().atMost() > 0) {
                journal.charge(cost(call.open(), "interrupted", Usage.NONE.atLeast()));
            }
            throw e;
        }
        Usage usage = reply.usage();
        boolean broken = reply instanceof ModelReply.Failed && !usage.exact();
        Cost cost = cost(call.open(), broken ? "interrupted" : call.open().source(), usage);
        tools.budget().settle(setup.agent().id(), call.reserved(), cost.micros());
        return switch (reply) {
            case ModelReply.Answered answered ->
                    new Asked.Answered(
                            answered, cost, prompts.counted(call.request(), call.demand(), usage));
            case ModelReply.Failed failed -> {
                journal.charge(cost);
                yield new Asked.Failed(failed);
            }
        };
    }

    private ModelReply send(ModelRequest request) throws InterruptedException {
        return setup.model().ask(request, piece -> tools.watcher().writing(setup.agent(), piece));
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
                tools.clock().instant());
    }
}
