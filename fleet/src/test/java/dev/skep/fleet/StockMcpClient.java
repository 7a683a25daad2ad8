package dev.skep.fleet;

import dev.skep.fleet.agent.AgentPackages;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The MCP project's own clients for Node.js, of both generations. */
final class StockMcpClient {
    static final String HOW_TO_INSTALL =
            "no clients of MCP here: npm ci in .ci/mcp, and name its node_modules with -Dskep.mcp.packages";

    private static final List<String> SCRIPTS =
            List.of("mcp-connect.mjs", "mcp-client.mjs", "mcp-approve.mjs");

    private final Path scratch;
    private final String packages;
    private final String node;

    private StockMcpClient(Path scratch, String packages, String node) {
        this.scratch = scratch;
        this.packages = packages;
        this.node = node;
    }

    /** Empty where nobody said where they are; a wrong place is an error. */
    static Optional<StockMcpClient> installed(Path scratch) throws IOException {
        String packages = System.getProperty("skep.mcp.packages", "");
        if (packages.isEmpty()) {
            return Optional.empty();
        }
        for (String script : SCRIPTS) {
            try (InputStream in = StockMcpClient.class.getResourceAsStream(script)) {
                Files.write(
                        scratch.resolve(script),
                        Optional.ofNullable(in).orElseThrow().readAllBytes());
            }
        }
        Path node = AgentPackages.here().command("node").orElseThrow();
        return Optional.of(new StockMcpClient(scratch, packages, node.toString()));
    }

    /** Looks around, sends mail to the agent and has a job done; what it saw. */
    JsonFields operate(String generation, String url, String key, String agent) throws Exception {
        return run("mcp-client.mjs", List.of(generation, url, key, agent));
    }

    /**
     * Decides an approval; what the person was asked, and what came of it.
     *
     * @param action what the person does with the question; empty if the client cannot ask
     */
    JsonFields decide(
            String generation,
            String url,
            String key,
            String approval,
            String decision,
            String action)
            throws Exception {
        return run("mcp-approve.mjs", List.of(generation, url, key, approval, decision, action));
    }

    private JsonFields run(String script, List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(node);
        command.add(scratch.resolve(script).toString());
        command.add(packages);
        command.addAll(arguments);
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new AssertionError("the client failed; see above: " + printed);
        }
        return Json.fields(printed);
    }
}
