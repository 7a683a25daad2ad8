package dev.skep.runner.loop;

import dev.skep.models.ToolOffer;
import dev.skep.runner.mcp.ToolCommandLine;
import dev.skep.runner.mcp.ToolServers;
import java.util.List;

/** An agent's servers, whose calls are given up when its loop is stopped or its turn cancelled. */
record InterruptibleServers(ToolServers servers, LoopControls controls) implements ToolServers {
    @Override
    public List<String> refresh() throws InterruptedException {
        return controls.interruptibly(servers::refresh);
    }

    @Override
    public List<ToolOffer> offers() {
        return servers.offers();
    }

    @Override
    public String call(ToolCommandLine line) throws InterruptedException {
        return controls.interruptibly(() -> servers.call(line));
    }

    @Override
    public String describe() throws InterruptedException {
        return controls.interruptibly(servers::describe);
    }

    @Override
    public void close() {
        servers.close();
    }
}
