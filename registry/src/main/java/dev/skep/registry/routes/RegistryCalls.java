package dev.skep.registry.routes;

import dev.skep.kernel.error.SkepException;
import dev.skep.registry.document.StateExport;
import dev.skep.registry.document.StateImport;
import dev.skep.registry.document.StateImport.Imported;
import dev.skep.registry.folder.HomeFolder;
import dev.skep.registry.folder.Spawner;
import dev.skep.registry.node.Peer;
import dev.skep.registry.service.Registry;
import dev.skep.registry.wire.Call;
import dev.skep.registry.wire.Document;
import dev.skep.registry.wire.Frames;
import dev.skep.registry.wire.Request;
import dev.skep.registry.wire.Result;
import java.util.function.Function;

/** Answers what one connection asks. */
public final class RegistryCalls {
    private final Registry registry;
    private final Machine machine;
    private final Visitor visitor;
    private final Peer peer;
    private volatile boolean registered;

    /** What the registry's machine offers besides the registry. */
    public record Machine(
            HomeFolder home,
            Spawner spawner,
            Function<Registry, StateExport> exports,
            Function<Registry, StateImport> imports,
            String version) {}

    RegistryCalls(Registry registry, Machine machine, Visitor visitor, Peer peer) {
        this.registry = registry;
        this.machine = machine;
        this.visitor = visitor;
        this.peer = peer;
    }

    Peer peer() {
        return peer;
    }

    boolean hasRegistered() {
        return registered;
    }

    /** A result, or the reason why there is none. */
    private sealed interface Answer {
        record Success(Result result) implements Answer {}

        record Refusal(String text) implements Answer {}
    }

    String answer(Request request) {
        Answer answer;
        try {
            answer = answer(request.call());
        } catch (SkepException failure) {
            answer = new Answer.Refusal("Storage failed: " + failure.getMessage());
        }
        return switch (answer) {
            case Answer.Success(Result result) -> Frames.answer(request.id(), result);
            case Answer.Refusal(String text) -> Frames.refusal(request.id(), text);
        };
    }

    private Answer answer(Call call) {
        return switch (call) {
            case Call.Register(var registration) -> {
                // Before the broadcast, so that from it on this is an agent.
                registered = true;
                registry.register(registration, peer);
                yield new Answer.Success(
                        registry.isStoring()
                                ? Frames.status("registered")
                                : Frames.notStored("registered"));
            }
            case Call.Deregister(String nodeId) -> deregister(nodeId);
            case Call.ListNodes() -> new Answer.Success(Frames.roster(registry.nodes()));
            case Call.Ping() ->
                    new Answer.Success(Frames.healthy(registry.nodes().size(), machine.version()));
            case Call.ListDirectories(var path) ->
                    machine.spawner().isAllowed()
                            ? directories(machine.home().list(path))
                            : new Answer.Refusal(
                                    "Folders are for those who may spawn; start the registry with --allow-spawn");
            case Call.SpawnAgent(var path, var folder) ->
                    spawned(machine.spawner().spawn(path, folder));
            case Call.ListConnections(var nodeId, var limit, var before) ->
                    registry.history()
                            .page(nodeId, before, limit)
                            .<Answer>map(
                                    page ->
                                            new Answer.Success(
                                                    Frames.visits(page.visits(), page.hasMore())))
                            .orElseGet(RegistryCalls::unknownNode);
            case Call.Stats(var nodeId) ->
                    nodeId.isEmpty()
                            ? new Answer.Success(Frames.allStats(registry.stats()))
                            : registry.stats(nodeId.get())
                                    .<Answer>map(stats -> new Answer.Success(Frames.stats(stats)))
                                    .orElseGet(RegistryCalls::unknownNode);
            case Call.ExportState() -> visitor.admin() ? exported() : unauthorized();
            case Call.ImportState(var document) ->
                    visitor.admin() ? imported(document) : unauthorized();
            case Call.Refused(String error) -> new Answer.Refusal(error);
        };
    }

    private Answer deregister(String nodeId) {
        boolean anyNode = visitor.anyNode() && !registered;
        return switch (registry.deregister(nodeId, peer, anyNode)) {
            case DONE -> new Answer.Success(Frames.status("deregistered"));
            case NOT_FOUND -> new Answer.Success(Frames.status("not_found"));
            case NOT_ALLOWED -> new Answer.Refusal("Unauthorized: cannot deregister another node");
        };
    }

    private static Answer directories(HomeFolder.Listing listing) {
        return switch (listing) {
            case HomeFolder.Listing.Folders(var current, var names) ->
                    new Answer.Success(Frames.directories(current, names));
            case HomeFolder.Listing.Refused(String error) -> new Answer.Refusal(error);
        };
    }

    private static Answer spawned(Spawner.Spawned spawned) {
        return switch (spawned) {
            case Spawner.Spawned.Started(var folder) -> new Answer.Success(Frames.spawning(folder));
            case Spawner.Spawned.Refused(String error) -> new Answer.Refusal(error);
        };
    }

    private Answer exported() {
        registry.flush();
        return new Answer.Success(machine.exports().apply(registry).document().result());
    }

    private Answer imported(Document document) {
        Imported imported =
                machine.imports()
                        .apply(registry)
                        .importFrom(
                                sink -> document.readInto(registry.host(), sink),
                                total -> {},
                                done -> {});
        return switch (imported) {
            case Imported.Done(int count) -> new Answer.Success(Frames.imported(count));
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
