package dev.skep.runner.managed;

import dev.skep.agents.AgentStatus;
import dev.skep.agents.session.LogEntry.Source;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.retry.Backoff;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.approval.Protection;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.loop.AgentPresence;
import dev.skep.runner.loop.AgentRun;
import dev.skep.runner.loop.DiskSpaceWait;
import dev.skep.runner.loop.LogEntryDraft;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.loop.SessionRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs one agent of another runtime on one virtual thread, step by step. */
public final class ManagedAgentLoop implements AgentRun {
    private static final int MOST_FAILURES = 3;

    /** How soon an agent whose folder was full is looked at again. */
    private static final Duration ROOM_AGAIN = Duration.ofSeconds(5);

    private static final Backoff BACKOFF =
            Backoff.half(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final AgentDependencies agentDependencies;
    private final ManagedSetup setup;
    private final AgentFile file;
    private final LoopControls controls;
    private final AgentPresence presence;
    private final DiskSpaceWait diskSpaceWait;
    private final TurnComposer composer;
    private final PermissionHandler permissions;
    private final ManagedLog log;
    private final TurnEffects effects;
    private final RuntimeDriver driver;
    private final ManagedTurn managedTurn;
    private final SessionReopener reopener;
    private final TurnLimits limits;
    private @Nullable Instant turnBegan;
    private int failures;

    public ManagedAgentLoop(
            AgentDependencies agentDependencies,
            ManagedAgentDependencies parts,
            ManagedSetup setup) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.file = setup.source().content();
        this.controls = setup.controls();
        this.presence = new AgentPresence(agentDependencies, setup.agent());
        this.diskSpaceWait = new DiskSpaceWait(agentDependencies.clock(), controls, presence);
        this.composer = new TurnComposer(agentDependencies, setup, parts.agents(), presence);
        this.permissions =
                new PermissionHandler(agentDependencies, setup, presence, composer::tellLater);
        this.log =
                new ManagedLog(
                        recorder(),
                        agentDependencies.redactor(),
                        piece -> agentDependencies.watcher().writing(setup.agent(), piece));
        this.effects = new TurnEffects(log, controls);
        this.driver = new RuntimeDriver(parts, setup, log, permissions, effects);
        this.managedTurn =
                new ManagedTurn(agentDependencies, setup, log, driver, effects, composer);
        this.reopener = new SessionReopener(agentDependencies, setup, log, composer);
        this.limits = new TurnLimits(agentDependencies, setup);
    }

    private SessionRecorder recorder() {
        return SessionRecorder.resumed(
                agentDependencies,
                setup.agent(),
                setup.principal(),
                file.model() == null ? file.runtime() : file.model());
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
        return permissions.protection();
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
            driver.close();
            log.close();
            setup.workFolder().close();
        }
    }

    /** Goes on from what is stored; false if nothing could be stored and it is to do so anew. */
    private boolean fromLogToEnd() {
        try {
            reopener.reopen();
            ManagedAgentState step = new ManagedAgentState.Ready();
            while (!(step instanceof ManagedAgentState.Ended)) {
                step = next(step);
            }
            end((ManagedAgentState.Ended) step);
            return true;
        } catch (SkepException e) {
            driver.close();
            boolean over = !diskSpaceWait.waited(e);
            log.goOnWith(recorder());
            composer.reset();
            return over;
        }
    }

    private void fail(RuntimeException e) {
        presence.tell(AgentStatus.FAILED, String.valueOf(e.getMessage()), null);
        log.write(LogEntryDraft.error(Source.RUNNER, "the agent failed: " + e));
    }

    private void end(ManagedAgentState.Ended ended) {
        if (ended.reason() != null) {
            driver.closeSession();
        }
        driver.close();
        log.endSession(ended.reason());
        presence.ended(ended.reason(), controls, log.session().latestLogId());
    }

    private ManagedAgentState next(ManagedAgentState step) {
        try {
            if (controls.isStopping()) {
                return new ManagedAgentState.Ended(controls.stopReason());
            }
            String heldWhy = controls.heldWhy();
            if (heldWhy != null) {
                presence.held(controls, heldWhy, log.session().latestLogId());
                controls.awaitRelease();
                return step;
            }
            if (controls.isPaused() && !(step instanceof ManagedAgentState.Held)) {
                return new ManagedAgentState.Held(step, AgentStatus.PAUSED, "paused");
            }
            return doStep(step);
        } catch (InterruptedException e) {
            return interrupted();
        }
    }

    private ManagedAgentState doStep(ManagedAgentState step) throws InterruptedException {
        return switch (step) {
            case ManagedAgentState.Ready() -> ready();
            case ManagedAgentState.Turning turning -> turn(turning);
            case ManagedAgentState.Waiting waiting -> waitForInput(waiting);
            case ManagedAgentState.BackingOff(var then, var until, var why) -> {
                tell(step, why);
                yield controls.awaitTime(until) ? then : step;
            }
            case ManagedAgentState.OverBudget(var until, var why) -> {
                tell(step, why);
                yield controls.awaitTime(until) ? new ManagedAgentState.Ready() : step;
            }
            case ManagedAgentState.Held(var then, _, var why) -> {
                tell(step, why);
                stopWhenIdle();
                controls.awaitResume();
                failures = 0;
                yield then;
            }
            case ManagedAgentState.Ended ended -> ended;
        };
    }

    private void tell(ManagedAgentState step, String why) {
        AgentStatus status =
                step instanceof ManagedAgentState.Held held ? held.status() : step.status();
        presence.tell(status, why, log.session().latestLogId());
    }

    private ManagedAgentState ready() throws InterruptedException {
        if (turnBegan != null
                && file.turnDelay().isPositive()
                && !controls.awaitTime(turnBegan.plus(file.turnDelay()))) {
            return new ManagedAgentState.Ready();
        }
        Optional<TurnInput> brief = composer.brief();
        return brief.isEmpty()
                ? new ManagedAgentState.Waiting()
                : new ManagedAgentState.Turning(brief.get());
    }

    private ManagedAgentState waitForInput(ManagedAgentState.Waiting waiting)
            throws InterruptedException {
        tell(waiting, "");
        boolean mayStop = driver.isAlive() && driver.canReopen();
        Instant stop = mayStop ? agentDependencies.clock().instant().plus(file.idleStop()) : null;
        if (!controls.awaitInput(stop, file.wakeOnMail())) {
            return waiting;
        }
        boolean input =
                !controls.tookAllMessages() || (file.wakeOnMail() && controls.hasUnseenMail());
        if (input) {
            return new ManagedAgentState.Ready();
        }
        driver.close();
        return waiting;
    }

    /** Nobody knows how long a person lets it wait. */
    private void stopWhenIdle() {
        if (driver.isAlive() && driver.canReopen()) {
            driver.close();
        }
    }

    private ManagedAgentState turn(ManagedAgentState.Turning turning) throws InterruptedException {
        Optional<TurnLimits.Reached> reached = limits.reached();
        if (reached.isPresent()) {
            composer.again(turning.brief());
            return new ManagedAgentState.OverBudget(reached.get().until(), reached.get().why());
        }
        Optional<String> full = controls.interruptibly(setup.workFolder()::over);
        if (full.isPresent()) {
            composer.again(turning.brief());
            return new ManagedAgentState.BackingOff(
                    new ManagedAgentState.Ready(),
                    agentDependencies.clock().instant().plus(ROOM_AGAIN),
                    full.get());
        }
        presence.tell(AgentStatus.ACTIVE, "", log.session().latestLogId());
        turnBegan = agentDependencies.clock().instant();
        return switch (taken(turning.brief().with(setup.workFolder().warning()))) {
            case ManagedTurn.Outcome.Over(var completed) -> over(completed);
            case ManagedTurn.Outcome.Refused(var why, var until) ->
                    new ManagedAgentState.OverBudget(until, why);
            case ManagedTurn.Outcome.NotBegun(var why, var lasting) -> {
                composer.again(turning.brief());
                yield failed(why, lasting);
            }
            case ManagedTurn.Outcome.Failed(var why, var lasting) -> failed(why, lasting);
            case ManagedTurn.Outcome.Cancelled() -> interrupted();
        };
    }

    private ManagedTurn.Outcome taken(TurnInput brief) throws InterruptedException {
        try {
            return managedTurn.take(brief);
        } catch (InterruptedException e) {
            // It was not told anything yet.
            composer.again(brief);
            throw e;
        }
    }

    private ManagedAgentState over(@Nullable String completed) {
        failures = 0;
        if (completed != null) {
            return new ManagedAgentState.Ended(
                    completed.isEmpty() ? "complete" : "complete: " + completed);
        }
        if (file.pauseAfterTurn()) {
            controls.pause();
            return new ManagedAgentState.Held(
                    new ManagedAgentState.Ready(), AgentStatus.PAUSED, "pauses after each turn");
        }
        return new ManagedAgentState.Ready();
    }

    private ManagedAgentState failed(String told, boolean lasting) {
        String why = agentDependencies.redactor().redact(told);
        failures++;
        if (failures == 1 || lasting) {
            log.write(LogEntryDraft.error(Source.RUNTIME, why));
        }
        if (lasting || failures >= MOST_FAILURES) {
            controls.pause();
            return new ManagedAgentState.Held(
                    new ManagedAgentState.Ready(), AgentStatus.FAILED, why);
        }
        Duration wait = BACKOFF.after(failures, agentDependencies.random());
        return new ManagedAgentState.BackingOff(
                new ManagedAgentState.Ready(), agentDependencies.clock().instant().plus(wait), why);
    }

    /** Somebody wants the agent to stop, or to give up this turn. */
    private ManagedAgentState interrupted() {
        if (controls.isStopping()) {
            return new ManagedAgentState.Ended(controls.stopReason());
        }
        controls.cancelled();
        log.write(LogEntryDraft.notice("the turn was cancelled"));
        return new ManagedAgentState.Held(
                new ManagedAgentState.Ready(), AgentStatus.PAUSED, "cancelled");
    }
}
