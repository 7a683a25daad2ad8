package dev.skep.runner.managed;

import dev.skep.runner.command.AgentDirectory;
import dev.skep.runner.runtime.RuntimeLauncher;

/**
 * What all managed agents of a runner share.
 *
 * @param version ours, as runtimes are told it
 */
public record ManagedAgentDependencies(
        ManagedSessionStore sessions,
        RuntimeAccessServer access,
        RuntimeLauncher launcher,
        AgentDirectory agents,
        String version) {}
