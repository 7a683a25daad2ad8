package dev.skep.runner.managed;

import dev.skep.agents.cost.Cost;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.RunSession;
import dev.skep.runner.acp.SessionUpdate;
import dev.skep.runner.loop.LogEntryDraft;
import dev.skep.runner.loop.SessionRecorder;
import dev.skep.shell.redact.Redactor;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes lines of an agent's log out of what its runtime says. What it says before it is prompted is
 * a replay, and no line. Thread-safe: the runtime, the permissions, the gateway and the loop write.
 */
final class ManagedLog implements AutoCloseable {
    static final Duration SILENCE = Duration.ofMillis(250);
    static final int LONGEST_MESSAGE = 64 * 1024;

    /** Who says more than this in one turn will not end by itself, and the disk is not endless. */
    static final long MOST_IN_TURN = 64L << 20;

    private static final long MOST_IN_REPLAY = 256L << 20;
    private static final int PIECE = 16 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Redactor redactor;
    private final Consumer<String> writing;
    private final ToolUses toolUses;
    private final Thread storing;
    private SessionRecorder sessionRecorder;
    private @Nullable LogMessageBuffer message;
    private List<SessionUpdate.PlanStep> plan = List.of();
    private boolean replay = true;
    private boolean ended;
    private String answer = "";
    private long saidInTurn;
    private long replayed;
    private volatile long heard = System.nanoTime();
    private volatile @Nullable RuntimeException broken;

    /**
     * Begins to listen.
     *
     * @param writing hears pieces of messages at once
     */
    ManagedLog(SessionRecorder sessionRecorder, Redactor redactor, Consumer<String> writing) {
        this.sessionRecorder = sessionRecorder;
        this.redactor = redactor;
        this.writing = writing;
        this.toolUses = new ToolUses(line -> this.sessionRecorder.write(line));
        this.storing = Thread.ofVirtual().name("log-of-runtime").start(this::storeAfterSilence);
    }

    RunSession session() {
        return locked(() -> sessionRecorder.session());
    }

    /** What kept a line from being stored since it was asked last; null if nothing did. */
    @Nullable RuntimeException takeBroken() {
        RuntimeException was = broken;
        broken = null;
        return was;
    }

    /** For how long nothing has been heard of the runtime. */
    Duration silence() {
        return Duration.ofNanos(System.nanoTime() - heard);
    }

    /** Writes another session from now on. */
    void goOnWith(SessionRecorder other) {
        locked(
                () -> {
                    message = null;
                    toolUses.clear();
                    sessionRecorder = other;
                    return other;
                });
    }

    List<LogEntry> write(LogEntryDraft... drafts) {
        return locked(() -> sessionRecorder.write(drafts));
    }

    void booked(Cost cost) {
        locked(
                () -> {
                    sessionRecorder.booked(cost);
                    return cost;
                });
    }

    void endSession(@Nullable String reason) {
        locked(
                () -> {
                    if (reason == null) {
                        sessionRecorder.keep();
                    } else {
                        sessionRecorder.end(reason);
                    }
                    return true;
                });
    }

    /** What is said from now on, until the next turn begins, was said before. */
    void beginReplay() {
        locked(
                () -> {
                    replay = true;
                    replayed = 0;
                    return replay;
                });
    }

    boolean isReplay() {
        return locked(() -> replay);
    }

    /** Stores what the turn begins with; from now on what the runtime says is new. */
    void beginTurn(List<LogEntryDraft> drafts) {
        locked(
                () -> {
                    endMessage();
                    toolUses.close("unknown");
                    toolUses.clear();
                    plan = List.of();
                    answer = "";
                    saidInTurn = 0;
                    sessionRecorder.write(drafts.toArray(LogEntryDraft[]::new));
                    replay = false;
                    heard = System.nanoTime();
                    return drafts;
                });
    }

    /** Waits until the end of each tool is known, or the time is over. */
    void awaitTools(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        lock.lockInterruptibly();
        try {
            long left = limit.toNanos();
            while (toolUses.hasOpen() && left > 0) {
                long unused = changed.awaitNanos(left);
                left = end - System.nanoTime();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stores what is left of a turn, and its end.
     *
     * @param status what became of tools that have not ended
     * @return the last message of the turn
     */
    String endTurn(String status, LogEntryDraft... end) {
        return locked(
                () -> {
                    endMessage();
                    toolUses.close(status);
                    sessionRecorder.write(end);
                    return answer;
                });
    }

    /** Takes an update of the runtime; throws if it cannot be stored, so that the runtime ends. */
    void updated(SessionUpdate update) {
        lock.lock();
        try {
            heard = System.nanoTime();
            if (replay) {
                countReplay(update);
            } else if (!ended) {
                take(update);
                changed.signalAll();
            }
        } catch (RuntimeException e) {
            broken = e;
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** The use of a tool that a permission is asked for, stored as begun. */
    ToolUse asked(SessionUpdate.ToolCallUpdate call) {
        return locked(
                () -> {
                    endMessage();
                    ToolUse use = toolUses.known(call.toolCallId(), System.nanoTime());
                    use.take(call);
                    toolUses.storePending();
                    return use;
                });
    }

    private void take(SessionUpdate update) {
        switch (update) {
            case SessionUpdate.MessageChunk(var text, var id) -> {
                say(LogEntry.Type.REPLY, text, id);
                writing.accept(text);
            }
            case SessionUpdate.ThoughtChunk(var text, var id) ->
                    say(LogEntry.Type.THOUGHT, text, id);
            case SessionUpdate.ToolCall call -> {
                endMessage();
                count(call.title().length() + length(call.rawInput()));
                toolUses.take(call, System.nanoTime());
                toolUses.storeReady();
            }
            case SessionUpdate.ToolCallUpdate call -> {
                if (toolUses.isNew(call.toolCallId())) {
                    endMessage();
                }
                count(length(call.rawOutput()) + length(call.outputDelta()));
                toolUses.take(call, System.nanoTime());
                toolUses.storeReady();
            }
            case SessionUpdate.Plan(var entries) -> plan(entries);
            case SessionUpdate.UserMessageChunk _,
                    SessionUpdate.UsageUpdate _,
                    SessionUpdate.ModeChanged _,
                    SessionUpdate.Other _ -> {}
        }
    }

    /** Of a replay nothing is kept, but one without end would keep the agent waiting. */
    private void countReplay(SessionUpdate update) {
        replayed +=
                switch (update) {
                    case SessionUpdate.MessageChunk(var text, _) -> text.length();
                    case SessionUpdate.ThoughtChunk(var text, _) -> text.length();
                    case SessionUpdate.UserMessageChunk(var text, _) -> text.length();
                    default -> 100;
                };
        if (replayed > MOST_IN_REPLAY) {
            throw new EndlessTurnException(
                    "its runtime said more than %,d MB before it was asked anything"
                            .formatted(MOST_IN_REPLAY >> 20));
        }
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private void count(int characters) {
        saidInTurn += characters;
        if (saidInTurn > MOST_IN_TURN) {
            throw new EndlessTurnException(
                    "its runtime said more than %,d MB in one turn".formatted(MOST_IN_TURN >> 20));
        }
    }

    private void say(LogEntry.Type type, String text, @Nullable String id) {
        if (text.isEmpty()) {
            return;
        }
        count(text.length());
        toolUses.storePending();
        LogMessageBuffer now = message;
        if (now == null || !now.goesOnWith(type, id)) {
            endMessage();
            now = new LogMessageBuffer(type, id, redactor);
            message = now;
        }
        for (int from = 0; from < text.length(); ) {
            int to = TextTruncator.whole(text, Math.min(text.length(), from + PIECE));
            now.add(text.substring(from, to), System.nanoTime());
            from = to;
            if (now.length() >= LONGEST_MESSAGE) {
                store(now, now.isContinued(), now.takeSoFar());
            }
        }
    }

    private void endMessage() {
        LogMessageBuffer now = message;
        message = null;
        if (now != null) {
            store(now, now.isContinued(), now.takeAll());
        }
    }

    private void store(LogMessageBuffer pieces, boolean continued, String text) {
        if (text.isBlank()) {
            return;
        }
        if (pieces.type() == LogEntry.Type.REPLY) {
            answer = TextTruncator.cut(continued ? answer + text : text, LONGEST_MESSAGE);
        }
        sessionRecorder.write(
                LogEntryDraft.ofRuntime(
                        pieces.type(), text, continued ? "{\"continued\":true}" : null));
    }

    private void plan(List<SessionUpdate.PlanStep> steps) {
        List<SessionUpdate.PlanStep> bounded = PlanText.bounded(steps);
        if (!bounded.equals(plan)) {
            endMessage();
            plan = bounded;
            String text = PlanText.of(bounded);
            count(text.length());
            sessionRecorder.write(
                    LogEntryDraft.ofRuntime(LogEntry.Type.PLAN, text, LogDetailJson.plan(bounded)));
        }
    }

    private void storeAfterSilence() {
        lock.lock();
        try {
            while (!ended) {
                long left = untilDue();
                if (left == Long.MAX_VALUE) {
                    changed.await();
                } else if (left > 0) {
                    long unused = changed.awaitNanos(left);
                } else {
                    storeDue();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // The loop finds it at the end of its turn; what comes meanwhile is not stored.
            broken = e;
            ended = true;
        } finally {
            lock.unlock();
        }
    }

    private long untilDue() {
        long now = System.nanoTime();
        long due = Long.MAX_VALUE;
        if (message != null && message.isUnstored()) {
            due = message.latest() + SILENCE.toNanos() - now;
        }
        OptionalLong unstored = toolUses.unstoredSince();
        if (unstored.isPresent()) {
            due = Math.min(due, unstored.getAsLong() + SILENCE.toNanos() - now);
        }
        return due;
    }

    private void storeDue() {
        toolUses.storePending();
        LogMessageBuffer now = message;
        if (now != null && now.isUnstored()) {
            store(now, now.isContinued(), now.takeSoFar());
        }
    }

    /** Stores nothing more. */
    @Override
    public void close() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        storing.interrupt();
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            T done = work.get();
            changed.signalAll();
            return done;
        } finally {
            lock.unlock();
        }
    }
}
