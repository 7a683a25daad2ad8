package dev.skep.runner.managed;

import dev.skep.agents.Agent;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.Substitution;
import dev.skep.runner.loop.DiskLimit;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.runtime.RuntimeDefinition;
import dev.skep.runner.runtime.RuntimeLaunch;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One agent of another runtime, ready to run.
 *
 * @param launch how its program starts, but for where the gateway is
 * @param workplace makes the folder ready that it works in
 */
public record ManagedSetup(
        Agent agent,
        AgentSource source,
        Principal.Agent principal,
        RuntimeLaunch launch,
        Workplace workplace,
        DiskLimit diskLimit,
        Substitution substitution,
        LoopControls controls) {
    /** Makes an agent's folder ready. */
    @FunctionalInterface
    public interface Workplace {
        /** Why there is none; empty if it is there. */
        Optional<String> problem() throws InterruptedException;
    }

    RuntimeDefinition runtime() {
        return launch.definition();
    }

    /** Where its program works. */
    Path folder() {
        return launch.folder();
    }
}
