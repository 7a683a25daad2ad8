package dev.skep.transport.mcp;

import java.util.Map;

/**
 * What an endpoint answers to a request.
 *
 * @param status of HTTP
 * @param message as JSON-RPC has it
 */
public record McpAnswer(int status, Map<String, Object> message) {
    static McpAnswer ok(Map<String, Object> message) {
        return new McpAnswer(200, message);
    }
}
