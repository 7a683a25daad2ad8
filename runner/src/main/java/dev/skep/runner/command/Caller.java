package dev.skep.runner.command;

import dev.skep.agents.Agent;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.ModelCard;
import dev.skep.runner.files.AgentFiles;
import dev.skep.runner.mcp.ToolServers;
import dev.skep.shell.Shell;
import java.time.Duration;

/** The agent that runs a command, and what it has to run it with. */
public record Caller(
        Principal.Agent principal,
        Agent agent,
        ModelCard model,
        Shell shell,
        Duration commandTimeout,
        AgentFiles files,
        ToolServers servers) {}
