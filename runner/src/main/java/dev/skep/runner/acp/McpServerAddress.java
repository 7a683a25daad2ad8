package dev.skep.runner.acp;

import java.util.List;
import java.util.Map;

/** Where an agent finds an MCP server; the text of one shows no secrets. */
public sealed interface McpServerAddress {
    String name();

    /** A server over http; for agents that said that they can. */
    record Http(String name, String url, Map<String, String> headers) implements McpServerAddress {
        public Http {
            headers = Map.copyOf(headers);
        }

        @Override
        public String toString() {
            return "Http[%s, %s, headers %s]".formatted(name, url, headers.keySet());
        }
    }

    /** A server that the agent starts. */
    record Stdio(String name, String command, List<String> arguments, Map<String, String> env)
            implements McpServerAddress {
        public Stdio {
            arguments = List.copyOf(arguments);
            env = Map.copyOf(env);
        }

        @Override
        public String toString() {
            return "Stdio[%s, %s, env %s]".formatted(name, command, env.keySet());
        }
    }
}
