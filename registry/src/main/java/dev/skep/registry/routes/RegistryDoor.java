package dev.skep.registry.routes;

import dev.skep.kernel.id.OrgId;
import dev.skep.registry.proxy.NodeRoute;
import dev.skep.registry.proxy.ProxySession;
import dev.skep.registry.proxy.ProxySocket;
import dev.skep.registry.service.Registry;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketRequest;
import java.util.Optional;
import java.util.function.Function;

/** The paths of the registry: its own socket, and one to each node. */
public final class RegistryDoor implements SocketAcceptor {
    private static final String REGISTRY = "/ws";
    private static final String AGENT = "/ws/agent/";

    private final RegistryAccess access;
    private final Function<OrgId, Registry> registries;
    private final RegistryCalls.Machine machine;
    private final NodeRoute route;
    private final RegistryMeter meter;

    public RegistryDoor(
            RegistryAccess access,
            Function<OrgId, Registry> registries,
            RegistryCalls.Machine machine,
            NodeRoute route,
            RegistryMeter meter) {
        this.access = access;
        this.registries = registries;
        this.machine = machine;
        this.route = route;
        this.meter = meter;
    }

    @Override
    public AdmissionResult enter(SocketRequest request) {
        Optional<Visitor> visitor = access.visitor(request);
        if (visitor.isEmpty()) {
            return new AdmissionResult.Refused(401, "Unauthorized");
        }
        if (request.path().equals(REGISTRY)) {
            return new AdmissionResult.Admitted(() -> registrySocket(visitor.get(), request));
        }
        if (!request.path().startsWith(AGENT)) {
            return new AdmissionResult.Refused(404, "Not Found");
        }
        String nodeId = RegistryAccess.decoded(request.path().substring(AGENT.length()));
        return nodeId.isEmpty()
                ? new AdmissionResult.Refused(400, "Missing node ID")
                : new AdmissionResult.Admitted(
                        () ->
                                new ProxySocket(
                                        new ProxySession(
                                                registries.apply(visitor.get().org()),
                                                route,
                                                nodeId,
                                                visitor.get().admin(),
                                                meter)));
    }

    private RegistrySocket registrySocket(Visitor visitor, SocketRequest request) {
        Registry registry = registries.apply(visitor.org());
        return new RegistrySocket(
                registry,
                new RegistryCalls(
                        registry,
                        machine,
                        visitor,
                        registry.connected(request.from(), request.here())),
                meter);
    }
}
