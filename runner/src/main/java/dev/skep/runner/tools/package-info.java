/**
 * The tools that agents of another maker's program get from us, as an MCP server on loopback.
 *
 * <p>A token is admitted with its {@link dev.skep.runner.tools.ToolCaller} when an agent's program
 * starts, and dismissed when that ends: from then on it is worth nothing, and calls that still wait
 * are given up. A call is {@code running}, and then {@code answered} or {@code given up}: because
 * its client went away or said so, or because its token was dismissed. A tool that waits looks at
 * the tables again whenever mail was stored, and every two seconds in case nobody said so. Nothing
 * is kept from call to call, and nothing is logged here: what an agent does with a tool is in its
 * log as its program reports it.
 */
@NullMarked
package dev.skep.runner.tools;

import org.jspecify.annotations.NullMarked;
