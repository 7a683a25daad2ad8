package dev.skep.registry.routes;

import dev.skep.kernel.error.SkepException;
import dev.skep.registry.document.StateExport;
import dev.skep.registry.document.StateImport;
import dev.skep.registry.document.StateImport.Imported;
import dev.skep.registry.folder.AgentSpawner;
import dev.skep.registry.folder.HomeFolder;
import dev.skep.registry.node.RegistryConnection;
import dev.skep.registry.service.Registry;
import dev.skep.registry.wire.RegistryCall;
import dev.skep.registry.wire.RegistryFrames;
import dev.skep.registry.wire.RegistryRequest;
import dev.skep.registry.wire.RegistryResult;
import dev.skep.registry.wire.StateDocument;
import java.util.function.Function;

/** Answers what one connection asks. */
public final class RegistryCallHandler {
    private final Registry registry;
    private final Machine machine;
    private final RegistryCaller registryCaller;
    private final RegistryConnection registryConnection;
    private volatile boolean registered;

    /** What the registry's machine offers besides the registry. */
    public record Machine(
            HomeFolder home,
            AgentSpawner spawner,
            Function<Registry, StateExport> exports,
            Function<Registry, StateImport> imports,
            String version) {}

    RegistryCallHandler(
            Registry registry,
            Machine machine,
            RegistryCaller registryCaller,
            RegistryConnection registryConnection) {
        this.registry = registry;
        this.machine = machine;
        this.registryCaller = registryCaller;
        this.registryConnection = registryConnection;
    }

    RegistryConnection registryConnection() {
        return registryConnection;
    }

    boolean hasRegistered() {
        return registered;
    }

    /** A result, or the reason why there is none. */
    private sealed interface Answer {
        record Success(RegistryResult result) implements Answer {}

        record Refusal(String text) implements Answer {}
    }

    String answer(RegistryRequest request) {
        Answer answer;
        try {
            answer = answer(request.call());
        } catch (SkepException failure) {
            answer = new Answer.Refusal("Storage failed: " + failure.getMessage());
        }
        return switch (answer) {
            case Answer.Success(RegistryResult result) ->
                    RegistryFrames.answer(request.id(), result);
            case Answer.Refusal(String text) -> RegistryFrames.refusal(request.id(), text);
        };
    }

    private Answer answer(RegistryCall call) {
        return switch (call) {
            case RegistryCall.Register(var registration) -> {
                // Before the broadcast, so that from it on this is an agent.
                registered = true;
                registry.register(registration, registryConnection);
                yield new Answer.Success(
                        registry.isStoring()
                                ? RegistryFrames.status("registered")
                                : RegistryFrames.notStored("registered"));
            }
            case RegistryCall.Deregister(String nodeId) -> deregister(nodeId);
            case RegistryCall.ListNodes() ->
                    new Answer.Success(RegistryFrames.roster(registry.nodes()));
            case RegistryCall.Ping() ->
                    new Answer.Success(
                            RegistryFrames.healthy(registry.nodes().size(), machine.version()));
            case RegistryCall.ListDirectories(var path) ->
                    machine.spawner().isAllowed()
                            ? directories(machine.home().list(path))
                            : new Answer.Refusal(
                                    "Folders are for those who may spawn; start the registry with --allow-spawn");
            case RegistryCall.SpawnAgent(var path, var folder) ->
                    spawned(machine.spawner().spawn(path, folder));
            case RegistryCall.ListConnections(var nodeId, var limit, var before) ->
                    registry.history()
                            .page(nodeId, before, limit)
                            .<Answer>map(
                                    page ->
                                            new Answer.Success(
                                                    RegistryFrames.visits(
                                                            page.visits(), page.hasMore())))
                            .orElseGet(RegistryCallHandler::unknownNode);
            case RegistryCall.Stats(var nodeId) ->
                    nodeId.isEmpty()
                            ? new Answer.Success(RegistryFrames.allStats(registry.stats()))
                            : registry.stats(nodeId.get())
                                    .<Answer>map(
                                            stats ->
                                                    new Answer.Success(RegistryFrames.stats(stats)))
                                    .orElseGet(RegistryCallHandler::unknownNode);
            case RegistryCall.ExportState() -> registryCaller.admin() ? exported() : unauthorized();
            case RegistryCall.ImportState(var document) ->
                    registryCaller.admin() ? imported(document) : unauthorized();
            case RegistryCall.Refused(String error) -> new Answer.Refusal(error);
        };
    }

    private Answer deregister(String nodeId) {
        boolean anyNode = registryCaller.anyNode() && !registered;
        return switch (registry.deregister(nodeId, registryConnection, anyNode)) {
            case DONE -> new Answer.Success(RegistryFrames.status("deregistered"));
            case NOT_FOUND -> new Answer.Success(RegistryFrames.status("not_found"));
            case NOT_ALLOWED -> new Answer.Refusal("Unauthorized: cannot deregister another node");
        };
    }

    private static Answer directories(HomeFolder.Listing listing) {
        return switch (listing) {
            case HomeFolder.Listing.Folders(var current, var names) ->
                    new Answer.Success(RegistryFrames.directories(current, names));
            case HomeFolder.Listing.Refused(String error) -> new Answer.Refusal(error);
        };
    }

    private static Answer spawned(AgentSpawner.Spawned spawned) {
        return switch (spawned) {
            case AgentSpawner.Spawned.Started(var folder) ->
                    new Answer.Success(RegistryFrames.spawning(folder));
            case AgentSpawner.Spawned.Refused(String error) -> new Answer.Refusal(error);
        };
    }

    private Answer exported() {
        registry.flush();
        return new Answer.Success(machine.exports().apply(registry).document().result());
    }

    private Answer imported(StateDocument document) {
        Imported imported =
                machine.imports()
                        .apply(registry)
                        .importFrom(
                                sink -> document.readInto(registry.host(), sink),
                                total -> {},
                                done -> {});
        return switch (imported) {
            case Imported.Done(int count) -> new Answer.Success(RegistryFrames.imported(count));
            case Imported.Invalid(String problem) ->
                    new Answer.Refusal("Invalid document: " + problem);
        };
    }

    private static Answer unauthorized() {
        return new Answer.Refusal("Unauthorized");
    }

    private static Answer unknownNode() {
        return new Answer.Refusal("Unknown node");
    }
}
