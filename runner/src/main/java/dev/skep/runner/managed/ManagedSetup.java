package dev.skep.runner.managed;

import dev.skep.agents.Agent;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.agent.AgentPlaceholders;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.runtime.RuntimeDefinition;
import dev.skep.runner.runtime.RuntimeLaunchSpec;
import dev.skep.runner.workspace.WorkFolder;
import java.nio.file.Path;

/**
 * One agent of another runtime, ready to run.
 *
 * @param launch how its program starts, but for where the gateway is
 */
public record ManagedSetup(
        Agent agent,
        AgentSource source,
        Principal.Agent principal,
        RuntimeLaunchSpec launch,
        AgentPlaceholders substitution,
        LoopControls controls,
        WorkFolder workFolder) {
    RuntimeDefinition runtime() {
        return launch.definition();
    }

    /** Where its program works. */
    Path folder() {
        return launch.folder();
    }
}
