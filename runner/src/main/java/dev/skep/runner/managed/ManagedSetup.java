package dev.skep.runner.managed;

import dev.skep.agents.Agent;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.Substitution;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.runtime.RuntimeDefinition;

/** One agent of another runtime, ready to run. */
public record ManagedSetup(
        Agent agent,
        AgentSource source,
        Principal.Agent principal,
        RuntimeDefinition runtime,
        java.nio.file.Path folder,
        Substitution substitution,
        LoopControls controls) {}
