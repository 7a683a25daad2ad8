package dev.skep.cli.acp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One session: follows the agent's log from a place on, and waits for the ends of turns. */
final class AgentSession implements AutoCloseable {
    private static final long SOON = 150;
    private static final long LATER = 1_000;
    private static final long DOUBT = 10;

    /** Lines are asked for again from so far back: two threads of a host may write out of order. */
    private static final int OVERLAP = 16;

    private final String id;
    private final AgentClient agent;
    private final EditorConnection editor;
    private final Consumer<String> report;
    private final LogUpdates updates = new LogUpdates();
    private final ApprovalForwarder approvals;
    private final Deque<String> told = new ArrayDeque<>();
    private final Set<String> toldIds = new HashSet<>();
    private final String place;
    private volatile Optional<TurnEndDetector> turn = Optional.empty();
    private boolean quiet;
    private volatile boolean away;
    private volatile boolean closed;
    private final Thread thread;

    /**
     * Follows nothing yet.
     *
     * @param place the id of the last line that is not told
     */
    AgentSession(
            String id,
            String place,
            AgentClient agent,
            EditorConnection editor,
            Consumer<String> report) {
        this.id = id;
        this.place = place;
        this.agent = agent;
        this.editor = editor;
        this.report = report;
        this.approvals = new ApprovalForwarder(id, agent, editor, updates);
        this.thread = Thread.ofVirtual().name("follow-" + id).unstarted(this::follow);
    }

    void start() {
        thread.start();
    }

    /** Tells all that the log has since the session began, as history. */
    void replay() {
        while (tellLines(true)) {
            // there may be more
        }
    }

    /** Passes over all that the log has. */
    void skip() {
        String last = agent.lastLine();
        if (!last.isEmpty()) {
            remember(last);
        }
    }

    /** Says something to the agent; returns why the turn that heard it ended. */
    String prompt(String text) throws InterruptedException {
        TurnEndDetector watch = new TurnEndDetector();
        synchronized (this) {
            if (turn.isPresent()) {
                throw new SkepException(
                        ErrorCode.CONFLICT, "the agent is still in the turn of an earlier prompt");
            }
            turn = Optional.of(watch);
        }
        try {
            say(watch, text);
            return watch.end().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SkepException known
                    ? known
                    : new SkepException(ErrorCode.INTERNAL, String.valueOf(e.getCause()), e);
        } finally {
            turn = Optional.empty();
        }
    }

    /** Once, unless it is certain that nobody heard it. */
    private void say(TurnEndDetector watch, String text) throws InterruptedException {
        while (!watch.isCancelled()) {
            try {
                agent.say(text);
                return;
            } catch (SkepException e) {
                if (!ConnectionFailures.mayPass(e)) {
                    throw e;
                }
                if (!ConnectionFailures.notSent(e)) {
                    requireHeard(watch, e);
                    return;
                }
                Thread.sleep(SOON);
            }
        }
        watch.end("cancelled");
    }

    /** The connection broke while it was said: the log shows whether it was heard. */
    private void requireHeard(TurnEndDetector watch, SkepException broken)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DOUBT);
        while (!watch.isHeard()) {
            if (!away && System.nanoTime() > end) {
                throw new SkepException(
                        broken.code(),
                        "the connection broke while this was said, and the agent's log does not show it yet; look before you say it again",
                        broken);
            }
            Thread.sleep(SOON);
        }
    }

    /** Ends the turn that a prompt waits for. */
    void cancel() {
        turn.ifPresent(
                watch -> {
                    watch.cancel();
                    Thread.ofVirtual().start(() -> giveUp(watch));
                });
    }

    private void giveUp(TurnEndDetector watch) {
        while (!watch.end().isDone()) {
            try {
                agent.cancel();
                // An agent that was not in a turn will not say that one ended.
                watch.end().get(DOUBT, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                watch.end("cancelled");
            } catch (SkepException e) {
                if (!ConnectionFailures.mayPass(e) || !pause(SOON)) {
                    watch.end("cancelled");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (ExecutionException e) {
                return;
            }
        }
    }

    private void follow() {
        long wait = SOON;
        while (!closed && pause(wait)) {
            try {
                wait = look() ? 0 : turn.isPresent() ? SOON : LATER;
                back();
            } catch (SkepException e) {
                wait = LATER;
                lost(e);
            }
        }
    }

    /** Whether there was anything new. */
    private boolean look() {
        Optional<TurnEndDetector> waiting = turn;
        // Before the log: what it did by then is in the log.
        Optional<AgentClient.State> state =
                quiet ? waiting.map(_ -> agent.state()) : Optional.empty();
        boolean news = tellLines(false);
        approvals.look();
        if (!news) {
            waiting.ifPresent(watch -> state.ifPresent(watch::idle));
        }
        quiet = !news;
        return news;
    }

    private boolean tellLines(boolean replay) {
        String after = told.isEmpty() ? place : told.getFirst();
        boolean any = false;
        for (JsonFields line : agent.linesAfter(after)) {
            if (!toldIds.contains(line.text("id"))) {
                any = true;
                updates.of(line, replay).forEach(update -> editor.update(id, update));
                remember(line.text("id"));
                turn.ifPresent(watch -> watch.line(line));
            }
        }
        return any;
    }

    private void remember(String line) {
        told.addLast(line);
        toldIds.add(line);
        if (told.size() > OVERLAP) {
            toldIds.remove(told.removeFirst());
        }
    }

    private void lost(SkepException e) {
        if (ConnectionFailures.mayPass(e) || e.code() == ErrorCode.UNAUTHENTICATED) {
            if (!away) {
                report.accept("the connection is lost and is tried again: " + e.getMessage());
            }
            away = true;
            return;
        }
        report.accept(String.valueOf(e.getMessage()));
        turn.ifPresent(watch -> watch.fail(String.valueOf(e.getMessage())));
    }

    private void back() {
        if (away) {
            report.accept("the connection is there again");
        }
        away = false;
    }

    private static boolean pause(long millis) {
        try {
            Thread.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        turn.ifPresent(watch -> watch.end("cancelled"));
    }
}
