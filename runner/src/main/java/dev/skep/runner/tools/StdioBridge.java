package dev.skep.runner.tools;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * How a program that takes no MCP servers over HTTP starts one that passes its messages on to our
 * endpoint. It needs bash, which every agent has, and no file.
 */
public record StdioBridge(String command, List<String> arguments, Map<String, String> environment) {
    public StdioBridge {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    /** To the endpoint at this port of loopback, as the agent with this token. */
    public static StdioBridge to(int port, String token) {
        return new StdioBridge(
                "bash",
                List.of("-c", script(), "skep-tools"),
                Map.of("SKEP_TOOLS_PORT", "" + port, "SKEP_TOKEN", token));
    }

    private static String script() {
        try (InputStream in = StdioBridge.class.getResourceAsStream("bridge.sh")) {
            if (in == null) {
                throw new SkepException(
                        ErrorCode.INTERNAL, "bridge.sh is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
