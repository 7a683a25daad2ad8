package dev.skep.runner.workspace;

import dev.skep.kernel.id.AgentId;
import java.time.Instant;

/**
 * A repository that was cloned for an agent.
 *
 * @param repo whose clone it is
 * @param base the commit that the agent's branch started from
 */
public record Workspace(AgentId agent, String repo, String branch, String base, Instant madeAt) {}
