package dev.skep.runner.loop;

import dev.skep.agents.Agent;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.Model;
import dev.skep.runner.agent.AgentPlaceholders;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.mcp.ToolServers;
import dev.skep.runner.workspace.WorkFolder;
import dev.skep.shell.Shell;

/**
 * One agent, ready to run.
 *
 * @param files a shell of its own for what the runner reads and changes for it
 */
public record AgentSetup(
        Agent agent,
        AgentSource source,
        Principal.Agent principal,
        Model model,
        Shell shell,
        Shell files,
        ToolServers servers,
        AgentPlaceholders substitution,
        LoopControls controls,
        WorkFolder workFolder) {

    /** Ends all that it started. */
    void close() {
        workFolder.close();
        try {
            shell.close();
        } finally {
            try {
                files.close();
            } finally {
                servers.close();
            }
        }
    }
}
