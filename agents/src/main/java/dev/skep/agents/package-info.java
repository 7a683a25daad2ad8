/**
 * Agents and what other hosts know about them; mail, sessions and costs have packages of their own.
 *
 * <p>An agent is live or removed. Removing it sets a mark that travels, and the agent keeps its
 * history. Every row is written by the host that owns it and reaches the other hosts by sync.
 */
@NullMarked
package dev.skep.agents;

import org.jspecify.annotations.NullMarked;
