/**
 * An agent of the fleet as an agent of the Agent Client Protocol, so that editors open it wherever
 * it runs.
 *
 * <p>A session is a place in the agent's log: what was written after it is told as updates, in
 * order and once, however often the connection to the fleet breaks. Its id contains that place, so
 * that a later process can load it. A prompt is a word to the agent, and is answered when the turn
 * that heard it has ended. What waits for approval is asked of the editor too; who answers first
 * decides.
 */
@NullMarked
package dev.skep.cli.acp;

import org.jspecify.annotations.NullMarked;
