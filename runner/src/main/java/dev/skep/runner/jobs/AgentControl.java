package dev.skep.runner.jobs;

/** What jobs can do to the agents of this host; the runner itself stands behind it. */
public interface AgentControl {
    /** What became of a wish. */
    record Answer(boolean done, String message) {}

    Answer start(String agent);

    Answer stop(String agent);

    Answer pause(String agent);

    Answer resume(String agent);

    /**
     * Gives an agent a task and waits until its session is over. Interrupted, it has the agent give
     * up what it does.
     */
    Answer task(String agent, String task) throws InterruptedException;
}
