/**
 * Who the agents are and what others may know about them; their mail, sessions and costs have
 * packages of their own.
 *
 * <p>An agent is live or removed; removing is a mark that travels, and a removed agent keeps its
 * name's history. Every row is written by the host that owns it and reaches the others by itself.
 */
@NullMarked
package dev.skep.agents;

import org.jspecify.annotations.NullMarked;
