/**
 * What every MCP server of ours has in common: JSON-RPC messages in and out, the revisions of the
 * protocol, and tools with their arguments described and checked. There are no sessions: each
 * message is read, answered and forgotten, so the state is that of whoever has the tools. How a
 * message arrives, and who sent it, is the business of the endpoint.
 */
@NullMarked
package dev.skep.transport.mcp;

import org.jspecify.annotations.NullMarked;
