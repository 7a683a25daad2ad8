package dev.skep.runner.loop;

import dev.skep.agents.AgentStatus;
import dev.skep.agents.session.LogEntry.Source;
import dev.skep.kernel.error.SkepException;
import dev.skep.models.CommandCall;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelReply.Failure;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.approval.Protection;
import dev.skep.runner.command.CommandResult;
import dev.skep.runner.command.LoopEffect;
import dev.skep.runner.loop.BudgetedModelClient.ModelCallResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs one agent of our own loop on one virtual thread, phase by phase. */
public final class AgentLoop implements AgentRun {
    private static final int HALVINGS = 4;

    /** How soon an agent whose folder was full is looked at again. */
    private static final Duration ROOM_AGAIN = Duration.ofSeconds(5);

    private final AgentDependencies agentDependencies;
    private final AgentSetup setup;
    private final AgentFile file;
    private final LoopControls controls;
    private final AgentPresence presence;
    private final DiskSpaceWait diskSpaceWait;
    private final CommandExecutor commandExecutor;
    private final BudgetedModelClient budgetedModelClient;
    private final TurnNotices turnNotices;
    private final FinishedTurn finishedTurn;
    private Conversation conversation;
    private SessionRecorder sessionRecorder;
    private @Nullable Instant turnBegan;

    public AgentLoop(AgentDependencies agentDependencies, AgentSetup setup) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.file = setup.source().content();
        this.controls = setup.controls();
        this.presence = new AgentPresence(agentDependencies, setup.agent());
        this.diskSpaceWait = new DiskSpaceWait(agentDependencies.clock(), controls, presence);
        this.commandExecutor =
                new CommandExecutor(
                        agentDependencies,
                        setup,
                        presence,
                        decided -> write(LogEntryDraft.decision(decided)));
        this.turnNotices = new TurnNotices(agentDependencies, setup, presence);
        this.finishedTurn =
                new FinishedTurn(
                        file, controls, agentDependencies.clock(), turnNotices, this::write);
        this.budgetedModelClient =
                new BudgetedModelClient(
                        agentDependencies,
                        setup,
                        TurnPrompt.system(
                                setup.substitution().in(file.prompt()),
                                file,
                                agentDependencies.builtIns().overview(setup.model().card())));
        this.conversation = Conversation.empty(agentDependencies.images());
        this.sessionRecorder = new SessionResumer(agentDependencies, setup).sessionRecorder();
    }

    @Override
    public AgentStatus status() {
        return presence.status();
    }

    @Override
    public String why() {
        return presence.why();
    }

    @Override
    public Protection protection() {
        return commandExecutor.protection();
    }

    @Override
    public void run() {
        setup.workFolder().start();
        try {
            boolean over = false;
            while (!over) {
                over = fromLogToEnd();
            }
        } catch (RuntimeException e) {
            // One agent's fault is told where people look for it and touches no other agent.
            fail(e);
        } finally {
            setup.close();
        }
    }

    /** Goes on from what is stored; false if nothing could be stored and it is to do so anew. */
    private boolean fromLogToEnd() {
        try {
            AgentLoopState phase = begin();
            while (!(phase instanceof AgentLoopState.Ended)) {
                phase = next(phase);
            }
            end((AgentLoopState.Ended) phase);
            return true;
        } catch (SkepException e) {
            boolean over = !diskSpaceWait.waited(e);
            sessionRecorder = new SessionResumer(agentDependencies, setup).sessionRecorder();
            turnNotices.reset();
            return over;
        }
    }

    private void fail(RuntimeException e) {
        presence.tell(AgentStatus.FAILED, String.valueOf(e.getMessage()), null);
        sessionRecorder.write(LogEntryDraft.error(Source.RUNNER, "the agent failed: " + e));
    }

    private void end(AgentLoopState.Ended ended) {
        if (ended.reason() == null) {
            sessionRecorder.keep();
        } else {
            sessionRecorder.end(ended.reason());
        }
        presence.ended(ended.reason(), controls, sessionRecorder.session().latestLogId());
    }

    private AgentLoopState begin() {
        SessionResumer.ResumePoint resumePoint =
                new SessionResumer(agentDependencies, setup).begin(sessionRecorder);
        conversation = resumePoint.conversation();
        return resumePoint.phase();
    }

    private AgentLoopState next(AgentLoopState phase) {
        try {
            if (controls.isStopping()) {
                return new AgentLoopState.Ended(controls.stopReason());
            }
            String heldWhy = controls.heldWhy();
            if (heldWhy != null) {
                presence.held(controls, heldWhy, sessionRecorder.session().latestLogId());
                controls.awaitRelease();
                return phase;
            }
            if (controls.isPaused() && !(phase instanceof AgentLoopState.Held)) {
                return new AgentLoopState.Held(phase, AgentStatus.PAUSED, "paused");
            }
            return step(phase);
        } catch (InterruptedException e) {
            return interrupted();
        }
    }

    private AgentLoopState step(AgentLoopState phase) throws InterruptedException {
        return switch (phase) {
            case AgentLoopState.Starting(var commands) -> start(commands);
            case AgentLoopState.Prompting() -> prompt();
            case AgentLoopState.Asking asking -> ask(asking);
            case AgentLoopState.Acting(var commands) -> act(commands);
            case AgentLoopState.Compacting compacting -> compact(compacting);
            case AgentLoopState.Waiting waiting -> {
                tell(waiting, "");
                boolean forMail = waiting.forMail() || file.wakeOnMail();
                yield controls.awaitInput(waiting.until(), forMail)
                        ? new AgentLoopState.Prompting()
                        : waiting;
            }
            case AgentLoopState.BackingOff(var then, var until, var why) -> {
                tell(phase, why);
                yield controls.awaitTime(until) ? then : phase;
            }
            case AgentLoopState.OverBudget(var then, var until, var why) -> {
                tell(phase, why);
                yield controls.awaitTime(until) ? then : phase;
            }
            case AgentLoopState.Held(var then, _, var why) -> {
                tell(phase, why);
                controls.awaitResume();
                yield then;
            }
            case AgentLoopState.Ended ended -> ended;
        };
    }

    private void tell(AgentLoopState phase, String why) {
        presence.tell(phase.status(), why, sessionRecorder.session().latestLogId());
    }

    private AgentLoopState start(List<CommandCall> commands) throws InterruptedException {
        CommandCall call = commands.getFirst();
        output(Source.SHELL, commandExecutor.runTrusted(setup.substitution().in(call.command())));
        return commands.size() == 1
                ? new AgentLoopState.Prompting()
                : new AgentLoopState.Starting(commands.subList(1, commands.size()));
    }

    private AgentLoopState prompt() throws InterruptedException {
        if (turnBegan != null
                && file.turnDelay().isPositive()
                && !controls.awaitTime(turnBegan.plus(file.turnDelay()))) {
            return new AgentLoopState.Prompting();
        }
        Optional<String> full = controls.interruptibly(setup.workFolder()::over);
        if (full.isPresent()) {
            return new AgentLoopState.BackingOff(
                    new AgentLoopState.Prompting(), lookAgain(), full.get());
        }
        setup.workFolder().warning().ifPresent(turnNotices::add);
        for (String news : setup.controls().interruptibly(setup.servers()::refresh)) {
            write(LogEntryDraft.notice(news));
            turnNotices.add(news);
        }
        Instant now = agentDependencies.clock().instant();
        turnBegan = now;
        for (String said : controls.takeMessages()) {
            write(LogEntryDraft.talk("A person says: " + said));
        }
        // As it is stored: what the provider counts must be what it sees again.
        String prompt =
                agentDependencies.redactor().redact(turnNotices.prompt(now, conversation.tokens()));
        return new AgentLoopState.Asking(prompt, 0);
    }

    private Instant lookAgain() {
        return agentDependencies.clock().instant().plus(ROOM_AGAIN);
    }

    private AgentLoopState ask(AgentLoopState.Asking asking) throws InterruptedException {
        tell(asking, "");
        ModelCallResult modelCallResult =
                budgetedModelClient.ask(
                        "turn", sessionRecorder, conversation.messagesWith(asking.prompt()), true);
        return switch (modelCallResult) {
            case ModelCallResult.OverBudget(var why, var until) ->
                    new AgentLoopState.OverBudget(asking, until, why);
            case ModelCallResult.MoneyHeld(var askAgain) -> afterOthers(askAgain, asking);
            case ModelCallResult.Failed(var failed)
                    when failed.failure() == Failure.CONTEXT_TOO_LONG ->
                    new AgentLoopState.Compacting(0);
            case ModelCallResult.Failed(var failed) ->
                    failed(
                            failed,
                            asking,
                            new AgentLoopState.Asking(asking.prompt(), asking.failures() + 1),
                            asking.failures() + 1);
            case ModelCallResult.Answered answered -> answered(asking, answered);
        };
    }

    private AgentLoopState answered(
            AgentLoopState.Asking asking, ModelCallResult.Answered answered) {
        ModelReply.Answered reply = answered.reply();
        List<LogEntryDraft> logEntryDrafts = new ArrayList<>();
        if (asking.failures() > 0) {
            logEntryDrafts.add(LogEntryDraft.notice("the model answers again"));
        }
        logEntryDrafts.add(LogEntryDraft.prompt(asking.prompt()));
        logEntryDrafts.add(LogEntryDraft.reply(reply.text()));
        reply.commands().stream()
                .limit(file.multipleCommands() ? Long.MAX_VALUE : 1)
                .map(commandExecutor::draft)
                .forEach(logEntryDrafts::add);
        sessionRecorder
                .write(logEntryDrafts, answered.cost(), answered.counted())
                .forEach(conversation::add);
        conversation.remember(reply.thinking());
        conversation.counted(reply.usage().context());
        finishedTurn.begin();
        List<CommandCall> commands = conversation.unanswered(reply.commands());
        if (!commands.isEmpty()) {
            finishedTurn.acts();
            return new AgentLoopState.Acting(commands);
        }
        return finishedTurn.withoutCommand(conversation.tokens());
    }

    /** Asks again in a moment, unless somebody wants the agent held. */
    private AgentLoopState afterOthers(Instant askAgain, AgentLoopState phase)
            throws InterruptedException {
        controls.awaitTime(askAgain);
        return phase;
    }

    private AgentLoopState act(List<CommandCall> commands) throws InterruptedException {
        CommandCall call = commands.getFirst();
        CommandResult commandResult = commandExecutor.run(call);
        output(commandExecutor.source(call), commandResult);
        // A wrong call is the same mistake again, however it is worded.
        String done = call.problem() == null ? call.command() : "";
        finishedTurn.did(done, commandResult.text());
        List<CommandCall> rest = commands.subList(1, commands.size());
        if (commandResult.effect() instanceof LoopEffect.None) {
            return rest.isEmpty()
                    ? finishedTurn.next(commandResult.effect(), conversation.tokens())
                    : new AgentLoopState.Acting(rest);
        }
        rest.forEach(_ -> output(Source.RUNNER, "[not run: the command before it ended the turn]"));
        return finishedTurn.next(commandResult.effect(), conversation.tokens());
    }

    private void output(Source source, String text) {
        write(LogEntryDraft.output(source, text));
    }

    private void output(Source source, CommandResult result) {
        write(LogEntryDraft.output(source, result));
    }

    private void write(LogEntryDraft logEntryDraft) {
        sessionRecorder.write(logEntryDraft).forEach(conversation::add);
    }

    private AgentLoopState compact(AgentLoopState.Compacting compacting)
            throws InterruptedException {
        tell(compacting, "summarising");
        ModelCallResult modelCallResult =
                budgetedModelClient.ask(
                        "compaction",
                        sessionRecorder,
                        conversation.messagesWith(TurnPrompt.SUMMARISE),
                        false);
        int failures = compacting.failures() + 1;
        return switch (modelCallResult) {
            case ModelCallResult.OverBudget(var why, var until) ->
                    new AgentLoopState.OverBudget(compacting, until, why);
            case ModelCallResult.MoneyHeld(var askAgain) -> afterOthers(askAgain, compacting);
            case ModelCallResult.Failed(var failed)
                    when failed.failure() == Failure.CONTEXT_TOO_LONG && failures <= HALVINGS -> {
                conversation.forgetOlderHalf();
                yield new AgentLoopState.Compacting(failures);
            }
            case ModelCallResult.Failed(var failed) ->
                    failed(failed, compacting, new AgentLoopState.Compacting(failures), failures);
            case ModelCallResult.Answered(var reply, var cost, _) -> {
                conversation = Conversation.empty(agentDependencies.images());
                sessionRecorder.compact(reply.text(), cost).forEach(conversation::add);
                yield new AgentLoopState.Prompting();
            }
        };
    }

    private AgentLoopState failed(
            ModelReply.Failed failed, AgentLoopState now, AgentLoopState again, int failures) {
        if (failures == 1 || !failed.failure().retryable()) {
            write(LogEntryDraft.error(Source.MODEL, failed.message()));
        }
        if (!failed.failure().retryable()) {
            controls.pause();
            return new AgentLoopState.Held(now, AgentStatus.FAILED, failed.message());
        }
        Duration wait = budgetedModelClient.waitAfter(failures, failed);
        return new AgentLoopState.BackingOff(
                again, agentDependencies.clock().instant().plus(wait), failed.message());
    }

    /** Somebody wants the loop to stop, or to give up this turn. */
    private AgentLoopState interrupted() {
        if (controls.isStopping()) {
            return new AgentLoopState.Ended(controls.stopReason());
        }
        controls.cancelled();
        try {
            if (setup.shell().busy()) {
                setup.shell().kill();
            }
        } catch (InterruptedException e) {
            return new AgentLoopState.Ended(controls.stopReason());
        }
        for (CommandCall _ : conversation.unanswered()) {
            output(Source.RUNNER, "[cancelled by a person]");
        }
        write(LogEntryDraft.notice("the turn was cancelled"));
        return new AgentLoopState.Held(
                new AgentLoopState.Prompting(), AgentStatus.PAUSED, "cancelled");
    }
}
