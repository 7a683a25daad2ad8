/**
 * The fleet for MCP clients: one endpoint with JSON-RPC over HTTP, without sessions. A tool is a
 * route of the API with its arguments described and checked. It is called with the caller's own
 * credentials, so a tool can do nothing that its caller could not do without it.
 */
@NullMarked
package dev.skep.app.mcp;

import org.jspecify.annotations.NullMarked;
