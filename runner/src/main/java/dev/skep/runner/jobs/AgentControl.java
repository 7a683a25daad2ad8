package dev.skep.runner.jobs;

import java.time.Duration;
import java.util.Optional;

/** What jobs can do to the agents of this host; the runner itself stands behind it. */
public interface AgentControl {
    /** What became of a wish. */
    record Answer(boolean done, String message) {}

    Answer start(String agent);

    Answer stop(String agent);

    Answer pause(String agent);

    Answer resume(String agent);

    /** Gives an agent a task. */
    Answer task(String agent, String task);

    /** What the agent answered to its task, once it has; empty while it still works. */
    Optional<Answer> awaitTask(String agent, Duration atMost) throws InterruptedException;
}
