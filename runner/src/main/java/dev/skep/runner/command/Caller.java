package dev.skep.runner.command;

import dev.skep.agents.Agent;
import dev.skep.kernel.identity.Principal;
import dev.skep.shell.Shell;
import java.time.Duration;

/** The agent that runs a command, and its shell. */
public record Caller(
        Principal.Agent principal, Agent agent, Shell shell, Duration commandTimeout) {}
