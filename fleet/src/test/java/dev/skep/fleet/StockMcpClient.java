package dev.skep.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The MCP project's own client for Node.js, installed once into the user's cache. */
final class StockMcpClient {
    private static final String PACKAGE = "@modelcontextprotocol/sdk@1.32.2";

    private final Path folder;

    private StockMcpClient(Path folder) {
        this.folder = folder;
    }

    /** Empty where there is no Node.js, or nowhere to get the client from. */
    static Optional<StockMcpClient> installed() throws IOException, InterruptedException {
        String home = System.getProperty("user.home");
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", home + "/.cache");
        Path folder = Path.of(cache, "skep", "test", PACKAGE.replaceAll("\\W+", "-"));
        Path done = folder.resolve("installed");
        if (Files.notExists(done)) {
            Files.createDirectories(folder);
            List<String> install =
                    List.of("npm", "install", "--no-audit", "--no-fund", "--silent", PACKAGE);
            if (run(folder, install).isEmpty()) {
                return Optional.empty();
            }
            Files.writeString(done, "");
        }
        return Optional.of(new StockMcpClient(folder));
    }

    /** What the script printed. */
    String operate(Path scratch, String url, String key, String agent)
            throws IOException, InterruptedException {
        Path script = scratch.resolve("client.mjs");
        try (InputStream in = StockMcpClient.class.getResourceAsStream("mcp-client.mjs")) {
            if (in == null) {
                throw new IllegalStateException("mcp-client.mjs is missing");
            }
            Files.write(script, in.readAllBytes());
        }
        return run(scratch, List.of("node", script.toString(), folder.toString(), url, key, agent))
                .orElseThrow(() -> new AssertionError("the client failed; see above"));
    }

    private static Optional<String> run(Path in, List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(in.toFile())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            String printed =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ended = process.waitFor(120, TimeUnit.SECONDS);
            return ended && process.exitValue() == 0 ? Optional.of(printed) : Optional.empty();
        } catch (IOException notInstalled) {
            return Optional.empty();
        }
    }
}
