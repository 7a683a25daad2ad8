package dev.skep.runner.mcp;

import dev.skep.models.ToolOffer;
import java.util.List;

/**
 * The tools of an agent's servers. Used by one thread at a time; {@link #close} may come from any.
 */
public interface ToolServers extends AutoCloseable {
    /** For an agent whose file names none. */
    ToolServers NONE =
            new ToolServers() {
                @Override
                public List<String> refresh() {
                    return List.of();
                }

                @Override
                public List<ToolOffer> offers() {
                    return List.of();
                }

                @Override
                public String call(ToolCommandLine line) {
                    return "error: there is no server '%s'".formatted(line.server());
                }

                @Override
                public String describe() {
                    return "Your file names no MCP servers.";
                }

                @Override
                public void close() {}
            };

    /** Connects to those that were not tried yet; what came of it, a line for each news. */
    List<String> refresh() throws InterruptedException;

    /** What models are offered; the same as long as no server says otherwise. */
    List<ToolOffer> offers();

    /** Calls a tool; the text for the model, also when that failed. */
    String call(ToolCommandLine line) throws InterruptedException;

    /** Tries again those that are not there; all tools with their arguments, for the model. */
    String describe() throws InterruptedException;

    @Override
    void close();
}
