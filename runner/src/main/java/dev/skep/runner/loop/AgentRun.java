package dev.skep.runner.loop;

import dev.skep.agents.AgentStatus;
import dev.skep.runner.approval.Protection;

/** One agent at work on a thread of its own, until it ends or is stopped. */
public interface AgentRun extends Runnable {
    /** What the agent is doing, for anyone who asks. */
    AgentStatus status();

    /** Why, in words; empty where all is well. */
    String why();

    /** The rules in force for what it does, to which a person may add while it runs. */
    Protection protection();
}
