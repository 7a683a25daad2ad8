/**
 * The client's side of the Agent Client Protocol, version 1: JSON-RPC with the program that thinks
 * for a managed agent, one JSON object a line.
 *
 * <p>An {@link dev.skep.runner.acp.AcpConnection} is open until it ends, and it ends once: its
 * streams end, the peer breaks a bound, or it is closed. From then on every call that waits fails
 * with the reason, permissions that wait are interrupted, and {@link
 * dev.skep.runner.acp.AcpHandler#closed} is the last that the handler hears.
 *
 * <p>One thread reads. It delivers updates and answers in the order in which the agent sent them,
 * so a handler that is slow makes the agent wait: nothing is queued here. What a permission waits
 * for does not hold up the updates after it. One thread writes from a queue with a bound; an agent
 * that does not read for too long loses the connection.
 */
@NullMarked
package dev.skep.runner.acp;

import org.jspecify.annotations.NullMarked;
