package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.session.LogEntry;
import dev.skep.runner.loop.AgentListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Keeps what agents do, and waits for what a test expects. */
public final class AgentRecorder implements AgentListener {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<String> seen = new ArrayList<>();

    @Override
    public void logged(Agent agent, LogEntry entry) {
        add(agent.username() + " " + TestRunner.line(entry));
    }

    @Override
    public void changed(Agent agent, AgentStatus status, String why) {
        add(agent.username() + " is " + status + (why.isEmpty() ? "" : ": " + why));
    }

    @Override
    public void nameTaken(Agent agent, String words) {
        add(agent.username() + " is told: " + words);
    }

    private void add(String line) {
        lock.lock();
        try {
            seen.add(line);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a line with all these words was seen. */
    public void await(String... words) throws InterruptedException {
        await(1, words);
    }

    /** Waits until so many lines with all these words were seen. */
    public void await(int times, String... words) throws InterruptedException {
        long left = PATIENCE.toNanos();
        BooleanSupplier there =
                () -> seen.stream().filter(line -> hasAll(line, words)).count() >= times;
        lock.lock();
        try {
            while (!there.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError(
                            "never saw %s in\n%s"
                                    .formatted(List.of(words), String.join("\n", seen)));
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    public List<String> seen() {
        lock.lock();
        try {
            return List.copyOf(seen);
        } finally {
            lock.unlock();
        }
    }

    private static boolean hasAll(String line, String... words) {
        for (String word : words) {
            if (!line.contains(word)) {
                return false;
            }
        }
        return true;
    }
}
