package dev.skep.runner.managed;

import dev.skep.runner.acp.AcpException;
import dev.skep.runner.acp.PromptResult;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.loop.LogEntryDraft;
import dev.skep.runner.loop.LoopControls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One turn of a runtime: from what the agent is to hear until the turn's end is stored. */
final class ManagedTurn {
    /** Some runtimes tell of the end of a tool after the end of the turn. */
    private static final Duration LATE = Duration.ofMillis(500);

    private static final Duration TO_OBEY = Duration.ofSeconds(10);

    /** A runner that stops does not wait for long. */
    private static final Duration TO_OBEY_AT_STOP = Duration.ofSeconds(2);

    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final Duration LONG_SILENCE = Duration.ofMinutes(10);

    private final AgentDependencies agentDependencies;
    private final ManagedSetup setup;
    private final ManagedLog log;
    private final RuntimeDriver driver;
    private final TurnEffects effects;
    private final TurnComposer composer;

    ManagedTurn(
            AgentDependencies agentDependencies,
            ManagedSetup setup,
            ManagedLog log,
            RuntimeDriver driver,
            TurnEffects effects,
            TurnComposer composer) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.log = log;
        this.driver = driver;
        this.effects = effects;
        this.composer = composer;
    }

    /** How it went. */
    sealed interface Outcome {
        /**
         * It ended by itself.
         *
         * @param completed the note with which the work is done; null if it is not
         */
        record Over(@Nullable String completed) implements Outcome {}

        /** There was no money for it. */
        record Refused(String why, Instant until) implements Outcome {}

        /** The runtime did not get so far that it was told anything. */
        record NotBegun(String why, boolean lasting) implements Outcome {}

        /** It was told, and its turn was cut; the agent hears that next. */
        record Failed(String why, boolean lasting) implements Outcome {}

        /** Somebody wanted it to end. */
        record Cancelled() implements Outcome {}
    }

    Outcome take(TurnInput brief) throws InterruptedException {
        RuntimeDriver.Opened opened;
        try {
            opened = open();
        } catch (RuntimeFailedException e) {
            return new Outcome.NotBegun(String.valueOf(e.getMessage()), e.isLasting());
        }
        effects.takeRefusal();
        effects.takeCompleted();
        String sent = begin(brief, opened);
        CompletableFuture<PromptResult> answer = driver.prompt(sent);
        try {
            return ended(brief, await(answer));
        } catch (AcpException e) {
            return failed(e);
        } catch (InterruptedException e) {
            return cancelled(answer);
        }
    }

    private RuntimeDriver.Opened open() throws RuntimeFailedException, InterruptedException {
        // What is thrown inside is handed out as it is.
        List<RuntimeFailedException> failed = new ArrayList<>(1);
        Optional<RuntimeDriver.Opened> opened =
                setup.controls()
                        .interruptibly(
                                () -> {
                                    try {
                                        return Optional.of(driver.open(log.session().key()));
                                    } catch (RuntimeFailedException e) {
                                        failed.add(e);
                                        return Optional.empty();
                                    }
                                });
        RuntimeException broken = log.takeBroken();
        if (broken instanceof EndlessTurnException) {
            throw new RuntimeFailedException(String.valueOf(broken.getMessage()), true);
        }
        if (broken != null) {
            driver.close();
            throw broken;
        }
        if (opened.isEmpty()) {
            throw failed.getFirst();
        }
        return opened.get();
    }

    /** Stores the prompt; what is stored is what is sent, and the agent's own prompt before it. */
    private String begin(TurnInput brief, RuntimeDriver.Opened opened) {
        StringBuilder prompt = new StringBuilder(composer.turn(brief));
        boolean unknown = opened == RuntimeDriver.Opened.NEW;
        if (unknown) {
            prompt.insert(0, composer.here() + "\n\n");
            SessionHistory story = story();
            if (story.hasPrompt()) {
                prompt.insert(
                        0,
                        "Your program was started anew and does not remember the session so far. It was:\n%s\n\n"
                                .formatted(story.summary()));
            }
        }
        List<LogEntryDraft> drafts = new ArrayList<>();
        brief.said().forEach(said -> drafts.add(LogEntryDraft.talk(said)));
        drafts.add(
                LogEntryDraft.prompt(prompt.toString())
                        .withDetail(LogDetailJson.prompt(brief.wake())));
        log.beginTurn(drafts);
        List<String> sent = new ArrayList<>();
        if (unknown) {
            sent.add(composer.instructions());
        }
        sent.add(prompt.toString());
        sent.addAll(brief.said());
        return String.join("\n\n", sent);
    }

    private PromptResult await(CompletableFuture<PromptResult> answer)
            throws InterruptedException, AcpException {
        LoopControls controls = setup.controls();
        boolean told = false;
        while (true) {
            boolean there = controls.interruptibly(() -> ended(answer, LOOK));
            if (there) {
                return result(answer);
            }
            if (!told && log.silence().compareTo(LONG_SILENCE) > 0) {
                told = true;
                log.write(
                        LogEntryDraft.notice(
                                "nothing was heard of %s for %d minutes; cancelling gives up the turn"
                                        .formatted(
                                                setup.runtime().name(), LONG_SILENCE.toMinutes())));
            }
        }
    }

    /** Whether the answer came within the time, whatever it is. */
    private static boolean ended(CompletableFuture<PromptResult> answer, Duration limit)
            throws InterruptedException {
        try {
            PromptResult unused = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    private PromptResult result(CompletableFuture<PromptResult> answer)
            throws AcpException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AcpException failed) {
                throw failed;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private Outcome ended(TurnInput brief, PromptResult result) throws InterruptedException {
        awaitLateUpdates();
        throwIfBroken();
        TurnEffects.Refusal refusal = effects.takeRefusal();
        String completed = effects.takeCompleted();
        String why = refusal == null ? null : refusal.why();
        String answer =
                log.endTurn("unknown", TurnEnd.draft(result.stopReason(), why, result.usage()));
        if (refusal != null) {
            composer.goOn("budget", "Your last turn ended early: " + refusal.why() + ". Go on.");
            return new Outcome.Refused(refusal.why(), refusal.until());
        }
        if (completed == null && brief.task() && result.stopReason().equals("end_turn")) {
            completed = answer.strip();
        }
        return new Outcome.Over(completed);
    }

    private void awaitLateUpdates() throws InterruptedException {
        setup.controls()
                .interruptibly(
                        () -> {
                            log.awaitTools(LATE);
                            return LATE;
                        });
    }

    private Outcome failed(AcpException e) {
        RuntimeFailedException failed = driver.failure(e);
        String why = String.valueOf(failed.getMessage());
        boolean lasting = failed.isLasting();
        RuntimeException broken = log.takeBroken();
        if (broken instanceof EndlessTurnException) {
            why = String.valueOf(broken.getMessage());
            lasting = true;
        } else if (broken != null) {
            driver.close();
            throw broken;
        }
        TurnEffects.Refusal refusal = effects.takeRefusal();
        boolean answered = e.failure() == AcpException.Failure.REFUSED;
        log.endTurn(
                "unknown",
                TurnEnd.draft(
                        answered ? "error" : "crashed",
                        refusal == null ? why : refusal.why(),
                        null));
        if (!answered) {
            driver.close();
        }
        if (refusal != null) {
            composer.goOn("budget", "Your last turn ended early: " + refusal.why() + ". Go on.");
            return new Outcome.Refused(refusal.why(), refusal.until());
        }
        composer.wasCut(story().lastPrompt());
        return new Outcome.Failed(why, lasting);
    }

    private SessionHistory story() {
        return new SessionHistory(
                agentDependencies.log().of(setup.principal(), log.session().key()));
    }

    private Outcome cancelled(CompletableFuture<PromptResult> answer) {
        boolean stopping = setup.controls().isStopping();
        driver.cancel();
        boolean obeyed = obeys(answer, stopping ? TO_OBEY_AT_STOP : TO_OBEY);
        if (!obeyed) {
            driver.close();
        }
        if (stopping && setup.controls().stopReason() == null) {
            // The session goes on at the next start, which stores how this turn ended.
            return new Outcome.Cancelled();
        }
        effects.takeRefusal();
        effects.takeCompleted();
        log.endTurn(
                "cancelled",
                TurnEnd.draft(
                        "cancelled",
                        obeyed
                                ? null
                                : "%s did not obey and was ended".formatted(setup.runtime().name()),
                        null));
        composer.tellLater("Your last turn was cancelled by a person.");
        return new Outcome.Cancelled();
    }

    private static boolean obeys(CompletableFuture<PromptResult> answer, Duration limit) {
        try {
            return ended(answer, limit) && !answer.isCompletedExceptionally();
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void throwIfBroken() {
        RuntimeException broken = log.takeBroken();
        if (broken != null) {
            driver.close();
            throw broken;
        }
    }
}
