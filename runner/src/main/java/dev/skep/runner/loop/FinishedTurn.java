package dev.skep.runner.loop;

import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.command.LoopEffect;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Decides where an agent of our own loop goes after a turn: by what its last command wants, and by
 * whether it still gets anywhere. Not thread-safe.
 */
final class FinishedTurn {
    private static final int IDLE_TURNS = 3;

    private final AgentFile file;
    private final LoopControls controls;
    private final InstantSource clock;
    private final TurnNotices turnNotices;
    private final Consumer<LogEntryDraft> log;
    private final LoopDetector loopDetector = new LoopDetector();
    private final StringBuilder turn = new StringBuilder();
    private int idleTurns;

    FinishedTurn(
            AgentFile file,
            LoopControls controls,
            InstantSource clock,
            TurnNotices turnNotices,
            Consumer<LogEntryDraft> log) {
        this.file = file;
        this.controls = controls;
        this.clock = clock;
        this.turnNotices = turnNotices;
        this.log = log;
    }

    /** The model has answered; nothing of it is done yet. */
    void begin() {
        turn.setLength(0);
    }

    /** It wants something done, so it is not idle. */
    void acts() {
        idleTurns = 0;
    }

    void did(String command, String output) {
        turn.append(command).append('\n').append(output).append('\n');
    }

    /** Where next after an answer without a command. */
    AgentLoopState withoutCommand(long tokens) {
        turnNotices.add(TurnPrompt.NO_COMMAND);
        if (++idleTurns < IDLE_TURNS) {
            return next(new LoopEffect.None(), tokens);
        }
        idleTurns = 0;
        return new AgentLoopState.Waiting(null, true);
    }

    /**
     * Where next.
     *
     * @param effect what the last command wants
     * @param tokens how long the conversation is
     */
    AgentLoopState next(LoopEffect effect, long tokens) {
        AgentLoopState then = wanted(effect, tokens);
        if (then instanceof AgentLoopState.Ended) {
            return then;
        }
        if (effect instanceof LoopEffect.None && !turn.isEmpty()) {
            switch (loopDetector.check(turn.toString())) {
                case NONE -> {}
                case WARN -> turnNotices.add(TurnPrompt.IN_CIRCLES);
                case HOLD -> {
                    controls.pause();
                    log.accept(LogEntryDraft.notice("paused: it repeats the same commands"));
                    return new AgentLoopState.Held(
                            then, AgentStatus.PAUSED, Notification.IN_CIRCLES);
                }
            }
        }
        if (file.pauseAfterTurn()) {
            controls.pause();
            return new AgentLoopState.Held(then, AgentStatus.PAUSED, "pauses after each turn");
        }
        return then;
    }

    private AgentLoopState wanted(LoopEffect effect, long tokens) {
        return switch (effect) {
            case LoopEffect.None() ->
                    tokens > file.tokenLimit()
                            ? new AgentLoopState.Compacting(0)
                            : new AgentLoopState.Prompting();
            case LoopEffect.Compact() -> new AgentLoopState.Compacting(0);
            case LoopEffect.Complete(var note) ->
                    new AgentLoopState.Ended(note.isEmpty() ? "complete" : "complete: " + note);
            case LoopEffect.Wait(var limit, var forMail) ->
                    new AgentLoopState.Waiting(
                            limit == null ? null : clock.instant().plus(limit), forMail);
        };
    }
}
