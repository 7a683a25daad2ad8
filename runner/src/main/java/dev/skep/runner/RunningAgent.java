package dev.skep.runner;

import dev.skep.agents.AgentStatus;
import dev.skep.runner.loop.AgentRun;
import dev.skep.runner.loop.LoopControls;
import java.time.Duration;

/** An agent at work and the thread it runs on. */
record RunningAgent(
        AgentRegistrar.Registered registered, AgentRun run, LoopControls controls, Thread thread) {
    static RunningAgent start(
            AgentRegistrar.Registered registered,
            AgentRun run,
            LoopControls controls,
            Runnable whenOver) {
        Thread thread =
                Thread.ofVirtual()
                        .name("agent-" + registered.agent().username())
                        .unstarted(
                                () -> {
                                    try {
                                        run.run();
                                    } finally {
                                        whenOver.run();
                                    }
                                });
        return new RunningAgent(registered, run, controls, thread);
    }

    AgentStatus status() {
        return run.status();
    }

    boolean joined(Duration limit) {
        try {
            return thread.join(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
