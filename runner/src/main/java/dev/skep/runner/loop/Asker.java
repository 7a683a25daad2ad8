package dev.skep.runner.loop;

import dev.skep.agents.cost.Cost;
import dev.skep.agents.session.SessionKey;
import dev.skep.runner.model.Message;
import dev.skep.runner.model.ModelCard;
import dev.skep.runner.model.ModelReply;
import dev.skep.runner.model.ModelRequest;
import dev.skep.runner.model.Usage;
import dev.skep.runner.money.Grant;
import dev.skep.runner.money.OpenCall;
import java.time.Instant;
import java.util.List;

/** Asks an agent's model, never without the money for it. */
final class Asker {
    /** What came of it. */
    sealed interface Asked {
        /** A reply; its cost is to be stored with it. */
        record Answered(ModelReply.Answered reply, Cost cost) implements Asked {}

        record Failed(ModelReply.Failed failure) implements Asked {}

        record OverBudget(String why, Instant until) implements Asked {}
    }

    private final Tools tools;
    private final AgentSetup setup;
    private final String system;

    Asker(Tools tools, AgentSetup setup, String system) {
        this.tools = tools;
        this.setup = setup;
        this.system = system;
    }

    Asked ask(
            String source, Journal journal, List<Message> messages, boolean mayCommand, long tokens)
            throws InterruptedException {
        long atMost = dearest(tokens + system.length() / 2);
        return switch (tools.budget().reserve(setup.agent().id(), atMost)) {
            case Grant.Refused(var why, var until) -> new Asked.OverBudget(why, until);
            case Grant.Reserved reserved -> {
                OpenCall call = open(source, journal.session().key(), atMost);
                ModelRequest request =
                        new ModelRequest(
                                system, messages, mayCommand, setup.source().content().settings());
                yield ask(journal, request, call, reserved);
            }
        };
    }

    private OpenCall open(String source, SessionKey session, long atMost) {
        String name = setup.model().card().name();
        Instant now = tools.clock().instant();
        OpenCall call = new OpenCall(tools.ids().next(), session, name, source, atMost, now);
        if (atMost > 0) {
            tools.openCalls().begin(setup.principal(), call);
        }
        return call;
    }

    private Asked ask(Journal journal, ModelRequest request, OpenCall call, Grant.Reserved reserved)
            throws InterruptedException {
        ModelReply reply;
        try {
            reply =
                    setup.controls()
                            .interruptibly(
                                    () ->
                                            setup.model()
                                                    .ask(
                                                            request,
                                                            piece ->
                                                                    tools.watcher()
                                                                            .writing(
                                                                                    setup.agent(),
                                                                                    piece)));
        } catch (InterruptedException e) {
            // The provider may charge what was under way; a limit must not be passed by cancelling.
            tools.budget().settle(setup.agent().id(), reserved, call.atMost());
            if (call.atMost() > 0) {
                journal.charge(cost(call, "interrupted", call.atMost(), Usage.NONE));
            }
            throw e;
        }
        long micros = setup.model().card().prices().cost(reply.usage());
        tools.budget().settle(setup.agent().id(), reserved, micros);
        Cost cost = cost(call, call.source(), micros, reply.usage());
        return switch (reply) {
            case ModelReply.Answered answered -> new Asked.Answered(answered, cost);
            case ModelReply.Failed failed -> {
                journal.charge(cost);
                yield new Asked.Failed(failed);
            }
        };
    }

    /**
     * What the call costs if the whole prompt is written to the cache and the reply is as long as
     * allowed.
     */
    private long dearest(long promptTokens) {
        ModelCard card = setup.model().card();
        long output = setup.source().content().maxOutputTokens();
        return Math.max(
                card.prices().cost(new Usage(promptTokens, output, 0, 0)),
                card.prices().cost(new Usage(0, output, 0, promptTokens)));
    }

    private Cost cost(OpenCall call, String source, long micros, Usage usage) {
        return new Cost(
                call.id(),
                call.session(),
                source,
                call.model(),
                micros,
                usage.input(),
                usage.output(),
                usage.cacheWrite(),
                usage.cacheRead(),
                tools.clock().instant());
    }
}
