package dev.skep.runner.api;

import dev.skep.runner.AgentService;
import dev.skep.runner.runtime.RuntimeDefinition;
import dev.skep.runner.runtime.RuntimeInventory;
import dev.skep.runner.runtime.RuntimeProgramFinder;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What this host has of the programs that agents can think with. */
public final class RuntimeRoutes implements Route.Source {
    private final AgentService agentService;

    public RuntimeRoutes(AgentService agentService) {
        this.agentService = agentService;
    }

    /**
     * One of them.
     *
     * @param missing why agents cannot use it here, with what to do; null if they can
     */
    public record RuntimeRow(
            String name,
            String title,
            boolean installed,
            @Nullable String version,
            @Nullable String path,
            String wire,
            boolean metered,
            boolean asks,
            boolean resumes,
            boolean signsIn,
            String install,
            @Nullable String missing) {}

    @Override
    public List<Route> routes() {
        return List.of(
                AgentRoutes.read("/api/runner/runtimes", this::list)
                        .described(
                                Operation.of(
                                                "The runtimes that agents may name, and what of them is installed here.")
                                        .answers(RuntimeList.class)));
    }

    private record RuntimeList(List<RuntimeRow> runtimes) {}

    private Response list(Request request) {
        return Response.json(
                new RuntimeList(
                        agentService.runtimes().all().stream().map(RuntimeRoutes::row).toList()));
    }

    private static RuntimeRow row(RuntimeInventory.Entry entry) {
        RuntimeDefinition definition = entry.definition();
        return new RuntimeRow(
                definition.name(),
                definition.shownName(),
                entry.isInstalled(),
                entry.version().isEmpty() ? null : entry.version(),
                entry.program() instanceof RuntimeProgramFinder.Lookup.Found(Path program)
                        ? program.toString()
                        : null,
                definition.wire().word(),
                definition.metered(),
                definition.asks(),
                definition.resumes(),
                !definition.login().isEmpty(),
                definition.install(),
                entry.program() instanceof RuntimeProgramFinder.Lookup.Missing(String why)
                        ? why
                        : null);
    }
}
