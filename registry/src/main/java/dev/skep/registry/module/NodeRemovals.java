package dev.skep.registry.module;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.registry.routes.NodeRemoval;
import dev.skep.registry.service.Registry;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Removes nodes of this process's hosts itself, and asks other hosts to, if they can be reached.
 */
public final class NodeRemovals implements NodeRemoval {
    private final Map<HostId, Function<OrgId, Registry>> here;
    private final Optional<NodeRemoval> elsewhere;
    private final Optional<HostProcess> people;

    /**
     * One for a process.
     *
     * @param here the registries of its hosts
     * @param elsewhere how other hosts are asked, at a hub
     * @param people whose audit log people read; a registry writes down by itself what is done to
     *     it, in its own
     */
    public NodeRemovals(
            Map<HostId, Function<OrgId, Registry>> here,
            Optional<NodeRemoval> elsewhere,
            Optional<HostProcess> people) {
        this.here = Map.copyOf(here);
        this.elsewhere = elsewhere;
        this.people = people;
    }

    @Override
    public Optional<String> remove(Actor by, HostId host, String node) {
        Function<OrgId, Registry> registries = here.get(host);
        if (registries == null) {
            return elsewhere
                    .orElseThrow(
                            () ->
                                    new SkepException(
                                            ErrorCode.CONFLICT,
                                            "node %s registered at another host; remove it there, or at a hub that runs"
                                                    .formatted(node)))
                    .remove(by, host, node);
        }
        refusal(registries.apply(by.org()), node, by)
                .ifPresent(
                        failure -> {
                            throw failure;
                        });
        people.filter(process -> !process.host().id().equals(host))
                .ifPresent(process -> record(process, by, host, node));
        return Optional.empty();
    }

    /** A hub's people look at the hub's, also for what they do to the runner beside it. */
    private static void record(HostProcess process, Actor by, HostId host, String node) {
        var audit = new AuditStore(process.ids(), process.clock());
        process.database()
                .write(
                        transaction -> {
                            audit.record(
                                    transaction,
                                    by,
                                    "node.removed",
                                    node,
                                    Map.of("host", host.value()));
                            return node;
                        });
    }

    /** Removes it; returns the refusal if it does not. */
    public static Optional<SkepException> refusal(Registry registry, String node, Actor by) {
        return switch (registry.takeAway(node, by)) {
            case DONE -> Optional.empty();
            case NOT_FOUND ->
                    Optional.of(
                            new SkepException(
                                    ErrorCode.NOT_FOUND,
                                    "there is no node %s; check the id".formatted(node)));
            case STILL_ACTIVE ->
                    Optional.of(
                            new SkepException(
                                    ErrorCode.CONFLICT,
                                    "node %s is active and would register again at once; stop it first"
                                            .formatted(node)));
        };
    }
}
