package dev.skep.runner.acp;

import java.util.List;

/**
 * What an agent told of itself when the connection began.
 *
 * @param name empty if it did not tell
 * @param loadSession whether it continues a session and replays it
 * @param resume whether it continues a session without a replay
 * @param close whether it closes sessions
 * @param mcpHttp whether it calls MCP servers over http
 * @param promptImage whether a prompt may have images
 * @param authMethods how one signs in
 */
public record AgentDescription(
        int protocolVersion,
        String name,
        String version,
        boolean loadSession,
        boolean resume,
        boolean close,
        boolean mcpHttp,
        boolean promptImage,
        List<AuthMethod> authMethods) {
    public AgentDescription {
        authMethods = List.copyOf(authMethods);
    }

    /** A way to sign in. */
    public record AuthMethod(String id, String name) {}
}
