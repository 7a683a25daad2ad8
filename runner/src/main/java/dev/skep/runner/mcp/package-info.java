/**
 * The MCP servers whose tools an agent of our own loop may use: programs that this host starts, and
 * addresses.
 *
 * <pre>
 * unknown ──▶ connected ──▶ gone ──▶ connected …
 *    └──▶ absent (why, in one line) ──▶ connected, when it is asked for again
 * </pre>
 *
 * <p>Each agent has servers of its own. What a server sends is bounded: its lines and answers, its
 * list of tools, the time it may take. One that is silent, floods or dies costs its agent a tool
 * and says so in the output of the call; nobody else notices.
 */
@NullMarked
package dev.skep.runner.mcp;

import org.jspecify.annotations.NullMarked;
