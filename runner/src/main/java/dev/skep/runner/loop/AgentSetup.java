package dev.skep.runner.loop;

import dev.skep.agents.Agent;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.Model;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.Substitution;
import dev.skep.shell.Shell;

/** One agent, ready to run. */
public record AgentSetup(
        Agent agent,
        AgentSource source,
        Principal.Agent principal,
        Model model,
        Shell shell,
        Substitution substitution,
        LoopControls controls) {}
