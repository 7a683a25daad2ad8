package dev.skep.runner.loop;

import dev.skep.agents.AgentStatus;
import dev.skep.agents.session.LogEntry.Source;
import dev.skep.kernel.error.SkepException;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.command.Answer;
import dev.skep.runner.command.Effect;
import dev.skep.runner.loop.Asker.Asked;
import dev.skep.runner.model.CommandCall;
import dev.skep.runner.model.ModelReply;
import dev.skep.runner.model.ModelReply.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs one agent on one virtual thread, phase by phase, until it ends or is stopped. */
public final class AgentLoop implements Runnable {
    private static final int IDLE_TURNS = 3;
    private static final int HALVINGS = 4;

    private final Tools tools;
    private final AgentSetup setup;
    private final AgentFile file;
    private final Controls controls;
    private final Presence presence;
    private final FullDisk fullDisk;
    private final Hands hands;
    private final Asker asker;
    private final News news;
    private final Circles circles = new Circles();
    private final StringBuilder turn = new StringBuilder();
    private Conversation conversation = Conversation.empty();
    private Journal journal;
    private @Nullable Instant turnBegan;
    private int idleTurns;

    public AgentLoop(Tools tools, AgentSetup setup) {
        this.tools = tools;
        this.setup = setup;
        this.file = setup.source().content();
        this.controls = setup.controls();
        this.presence = new Presence(tools, setup.agent());
        this.fullDisk = new FullDisk(tools.clock(), controls, presence);
        this.hands = new Hands(tools, setup, presence, decision -> write(Line.decision(decision)));
        this.news = new News(tools, setup, presence);
        this.asker =
                new Asker(
                        tools,
                        setup,
                        TurnPrompt.system(
                                setup.substitution().in(file.prompt()),
                                file,
                                tools.builtIns().overview()));
        this.journal = new Beginnings(tools, setup).journal();
    }

    /** What the agent is doing, for anyone who asks. */
    public AgentStatus status() {
        return presence.status();
    }

    public String why() {
        return presence.why();
    }

    @Override
    public void run() {
        try {
            boolean over = false;
            while (!over) {
                over = fromLogToEnd();
            }
        } catch (RuntimeException e) {
            // One agent's fault is told where people look for it and touches no other agent.
            fail(e);
        } finally {
            setup.shell().close();
        }
    }

    /** Goes on from what is stored; false if nothing could be stored and it is to do so anew. */
    private boolean fromLogToEnd() {
        try {
            Phase phase = begin();
            while (!(phase instanceof Phase.Ended)) {
                phase = next(phase);
            }
            end((Phase.Ended) phase);
            return true;
        } catch (SkepException e) {
            boolean over = !fullDisk.waited(e);
            journal = new Beginnings(tools, setup).journal();
            news.beginAgain();
            return over;
        }
    }

    private void fail(RuntimeException e) {
        presence.tell(AgentStatus.FAILED, String.valueOf(e.getMessage()), null);
        journal.write(Line.error(Source.RUNNER, "the agent failed: " + e));
    }

    private void end(Phase.Ended ended) {
        if (ended.reason() == null) {
            journal.keep();
        } else {
            journal.end(ended.reason());
        }
        // Who was held when the runner stopped is held when it starts again.
        boolean held =
                ended.reason() == null
                        && controls.isPaused()
                        && presence.status() != AgentStatus.FAILED;
        String why = ended.reason() == null ? "" : ended.reason();
        presence.tell(
                held ? AgentStatus.PAUSED : ended.status(), why, journal.session().latestLogId());
    }

    private Phase begin() {
        Beginnings.Beginning beginning = new Beginnings(tools, setup).begin(journal);
        conversation = beginning.conversation();
        return beginning.phase();
    }

    private Phase next(Phase phase) {
        try {
            if (controls.isStopping()) {
                return new Phase.Ended(controls.stopReason());
            }
            if (controls.isPaused() && !(phase instanceof Phase.Held)) {
                return new Phase.Held(phase, AgentStatus.PAUSED, "paused");
            }
            return step(phase);
        } catch (InterruptedException e) {
            return interrupted();
        }
    }

    private Phase step(Phase phase) throws InterruptedException {
        return switch (phase) {
            case Phase.Starting(var commands) -> start(commands);
            case Phase.Prompting() -> prompt();
            case Phase.Asking asking -> ask(asking);
            case Phase.Acting(var commands) -> act(commands);
            case Phase.Compacting compacting -> compact(compacting);
            case Phase.Waiting waiting -> {
                tell(waiting, "");
                boolean forMail = waiting.forMail() || file.wakeOnMail();
                yield controls.awaitNews(waiting.until(), forMail)
                        ? new Phase.Prompting()
                        : waiting;
            }
            case Phase.BackingOff(var then, var until, var why) -> {
                tell(phase, why);
                yield controls.awaitTime(until) ? then : phase;
            }
            case Phase.OverBudget(var then, var until, var why) -> {
                tell(phase, why);
                yield controls.awaitTime(until) ? then : phase;
            }
            case Phase.Held(var then, _, var why) -> {
                tell(phase, why);
                controls.awaitResume();
                yield then;
            }
            case Phase.Ended ended -> ended;
        };
    }

    private void tell(Phase phase, String why) {
        presence.tell(phase.status(), why, journal.session().latestLogId());
    }

    private Phase start(List<CommandCall> commands) throws InterruptedException {
        CommandCall call = commands.getFirst();
        output(Source.SHELL, hands.runTrusted(setup.substitution().in(call.command())).text());
        return commands.size() == 1
                ? new Phase.Prompting()
                : new Phase.Starting(commands.subList(1, commands.size()));
    }

    private Phase prompt() throws InterruptedException {
        if (turnBegan != null
                && file.turnDelay().isPositive()
                && !controls.awaitTime(turnBegan.plus(file.turnDelay()))) {
            return new Phase.Prompting();
        }
        Instant now = tools.clock().instant();
        turnBegan = now;
        for (String said : controls.takeTalk()) {
            write(Line.talk("A person says: " + said));
        }
        // As it is stored: what the provider counts must be what it sees again.
        String prompt = tools.redactor().redact(news.prompt(now, conversation.tokens()));
        return new Phase.Asking(prompt, 0);
    }

    private Phase ask(Phase.Asking asking) throws InterruptedException {
        tell(asking, "");
        Asked asked = asker.ask("turn", journal, conversation.messagesWith(asking.prompt()), true);
        return switch (asked) {
            case Asked.OverBudget(var why, var until) -> new Phase.OverBudget(asking, until, why);
            case Asked.MoneyHeld(var askAgain) -> afterOthers(askAgain, asking);
            case Asked.Failed(var failed) when failed.failure() == Failure.CONTEXT_TOO_LONG ->
                    new Phase.Compacting(0);
            case Asked.Failed(var failed) ->
                    failed(
                            failed,
                            asking,
                            new Phase.Asking(asking.prompt(), asking.failures() + 1),
                            asking.failures() + 1);
            case Asked.Answered answered -> answered(asking, answered);
        };
    }

    private Phase answered(Phase.Asking asking, Asked.Answered answered) {
        ModelReply.Answered reply = answered.reply();
        List<Line> lines = new ArrayList<>();
        if (asking.failures() > 0) {
            lines.add(Line.notice("the model answers again"));
        }
        lines.add(Line.prompt(asking.prompt()));
        lines.add(Line.reply(reply.text()));
        reply.commands().stream()
                .limit(file.multipleCommands() ? Long.MAX_VALUE : 1)
                .map(Line::of)
                .forEach(lines::add);
        journal.write(lines, answered.cost(), answered.counted()).forEach(conversation::add);
        conversation.remember(reply.thinking());
        conversation.counted(reply.usage().context());
        turn.setLength(0);
        List<CommandCall> commands = conversation.unanswered(reply.commands());
        if (!commands.isEmpty()) {
            idleTurns = 0;
            return new Phase.Acting(commands);
        }
        news.add(TurnPrompt.NO_COMMAND);
        return ++idleTurns < IDLE_TURNS ? finished(new Effect.None()) : idle();
    }

    /** Asks again in a moment, unless somebody wants the agent held. */
    private Phase afterOthers(Instant askAgain, Phase phase) throws InterruptedException {
        controls.awaitTime(askAgain);
        return phase;
    }

    private Phase idle() {
        idleTurns = 0;
        return new Phase.Waiting(null, true);
    }

    private Phase act(List<CommandCall> commands) throws InterruptedException {
        CommandCall call = commands.getFirst();
        Answer answer = hands.run(call);
        output(source(call), answer.text());
        // A wrong call is the same mistake again, however it is worded.
        String done = call.problem() == null ? call.command() : "";
        turn.append(done).append('\n').append(answer.text()).append('\n');
        List<CommandCall> rest = commands.subList(1, commands.size());
        if (answer.effect() instanceof Effect.None) {
            return rest.isEmpty() ? finished(answer.effect()) : new Phase.Acting(rest);
        }
        rest.forEach(_ -> output(Source.RUNNER, "[not run: the command before it ended the turn]"));
        return finished(answer.effect());
    }

    private Source source(CommandCall call) {
        if (call.problem() != null) {
            return Source.RUNNER;
        }
        return tools.builtIns().knows(call.command()) ? Source.COMMAND : Source.SHELL;
    }

    private void output(Source source, String text) {
        write(Line.output(source, text));
    }

    private void write(Line line) {
        journal.write(line).forEach(conversation::add);
    }

    /** The turn is over; where next? */
    private Phase finished(Effect effect) {
        Phase then =
                switch (effect) {
                    case Effect.None() ->
                            conversation.tokens() > file.tokenLimit()
                                    ? new Phase.Compacting(0)
                                    : new Phase.Prompting();
                    case Effect.Compact() -> new Phase.Compacting(0);
                    case Effect.Complete(var note) ->
                            new Phase.Ended(note.isEmpty() ? "complete" : "complete: " + note);
                    case Effect.Wait(var limit, var forMail) ->
                            new Phase.Waiting(
                                    limit == null ? null : tools.clock().instant().plus(limit),
                                    forMail);
                };
        if (then instanceof Phase.Ended) {
            return then;
        }
        if (effect instanceof Effect.None && !turn.isEmpty()) {
            switch (circles.saw(turn.toString())) {
                case NONE -> {}
                case WARN -> news.add(TurnPrompt.IN_CIRCLES);
                case HOLD -> {
                    controls.pause();
                    write(Line.notice("paused: it repeats the same commands"));
                    return new Phase.Held(then, AgentStatus.PAUSED, "goes in circles");
                }
            }
        }
        if (file.pauseAfterTurn()) {
            controls.pause();
            return new Phase.Held(then, AgentStatus.PAUSED, "pauses after each turn");
        }
        return then;
    }

    private Phase compact(Phase.Compacting compacting) throws InterruptedException {
        tell(compacting, "summarising");
        Asked asked =
                asker.ask(
                        "compaction",
                        journal,
                        conversation.messagesWith(TurnPrompt.SUMMARISE),
                        false);
        int failures = compacting.failures() + 1;
        return switch (asked) {
            case Asked.OverBudget(var why, var until) ->
                    new Phase.OverBudget(compacting, until, why);
            case Asked.MoneyHeld(var askAgain) -> afterOthers(askAgain, compacting);
            case Asked.Failed(var failed)
                    when failed.failure() == Failure.CONTEXT_TOO_LONG && failures <= HALVINGS -> {
                conversation.forgetOlderHalf();
                yield new Phase.Compacting(failures);
            }
            case Asked.Failed(var failed) ->
                    failed(failed, compacting, new Phase.Compacting(failures), failures);
            case Asked.Answered(var reply, var cost, _) -> {
                conversation = Conversation.empty();
                journal.compact(reply.text(), cost).forEach(conversation::add);
                yield new Phase.Prompting();
            }
        };
    }

    private Phase failed(ModelReply.Failed failed, Phase now, Phase again, int failures) {
        if (failures == 1 || !failed.failure().retryable()) {
            write(Line.error(Source.MODEL, failed.message()));
        }
        if (!failed.failure().retryable()) {
            controls.pause();
            return new Phase.Held(now, AgentStatus.FAILED, failed.message());
        }
        Duration wait = Backoff.after(failures, failed.retryAfter(), tools.random());
        return new Phase.BackingOff(again, tools.clock().instant().plus(wait), failed.message());
    }

    /** Somebody wants the loop to stop, or to give up this turn. */
    private Phase interrupted() {
        if (controls.isStopping()) {
            return new Phase.Ended(controls.stopReason());
        }
        controls.cancelled();
        try {
            if (setup.shell().busy()) {
                setup.shell().kill();
            }
        } catch (InterruptedException e) {
            return new Phase.Ended(controls.stopReason());
        }
        for (CommandCall _ : conversation.unanswered()) {
            output(Source.RUNNER, "[cancelled by a person]");
        }
        write(Line.notice("the turn was cancelled"));
        return new Phase.Held(new Phase.Prompting(), AgentStatus.PAUSED, "cancelled");
    }
}
