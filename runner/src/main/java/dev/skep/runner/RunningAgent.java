package dev.skep.runner;

import dev.skep.agents.AgentStatus;
import dev.skep.runner.loop.AgentLoop;
import dev.skep.runner.loop.LoopControls;
import java.time.Duration;

/** An agent's loop and the thread it runs on. */
record RunningAgent(
        AgentRegistrar.Registered registered,
        AgentLoop loop,
        LoopControls controls,
        Thread thread) {
    static RunningAgent start(
            AgentRegistrar.Registered registered,
            AgentLoop loop,
            LoopControls controls,
            Runnable whenOver) {
        Thread thread =
                Thread.ofVirtual()
                        .name("agent-" + registered.agent().username())
                        .unstarted(
                                () -> {
                                    try {
                                        loop.run();
                                    } finally {
                                        whenOver.run();
                                    }
                                });
        return new RunningAgent(registered, loop, controls, thread);
    }

    AgentStatus status() {
        return loop.status();
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
