package dev.skep.registry.routes;

import dev.skep.kernel.id.OrgId;
import dev.skep.registry.proxy.NodeConnector;
import dev.skep.registry.proxy.ProxySession;
import dev.skep.registry.proxy.ProxySocket;
import dev.skep.registry.service.Registry;
import dev.skep.transport.route.PercentEncoding;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketRequest;
import java.util.Optional;
import java.util.function.Function;

/** The paths of the registry: its own socket, and one to each node. */
public final class RegistrySocketAcceptor implements SocketAcceptor {
    private static final String REGISTRY = "/ws";
    private static final String AGENT = "/ws/agent/";

    private final RegistryAccess access;
    private final Function<OrgId, Registry> registries;
    private final RegistryCallHandler.Machine machine;
    private final NodeConnector nodeConnector;
    private final RegistryMeter meter;

    public RegistrySocketAcceptor(
            RegistryAccess access,
            Function<OrgId, Registry> registries,
            RegistryCallHandler.Machine machine,
            NodeConnector nodeConnector,
            RegistryMeter meter) {
        this.access = access;
        this.registries = registries;
        this.machine = machine;
        this.nodeConnector = nodeConnector;
        this.meter = meter;
    }

    @Override
    public AdmissionResult enter(SocketRequest request) {
        Optional<RegistryCaller> registryCaller = access.caller(request);
        if (registryCaller.isEmpty()) {
            return new AdmissionResult.Refused(401, "Unauthorized");
        }
        if (request.path().equals(REGISTRY)) {
            return new AdmissionResult.Admitted(
                    () -> registrySocket(registryCaller.get(), request));
        }
        if (!request.path().startsWith(AGENT)) {
            return new AdmissionResult.Refused(404, "Not Found");
        }
        String nodeId = PercentEncoding.decode(request.path().substring(AGENT.length()));
        return nodeId.isEmpty()
                ? new AdmissionResult.Refused(400, "Missing node ID")
                : new AdmissionResult.Admitted(
                        () ->
                                new ProxySocket(
                                        new ProxySession(
                                                registries.apply(registryCaller.get().org()),
                                                nodeConnector,
                                                nodeId,
                                                registryCaller.get().admin(),
                                                meter)));
    }

    private RegistrySocket registrySocket(RegistryCaller registryCaller, SocketRequest request) {
        Registry registry = registries.apply(registryCaller.org());
        return new RegistrySocket(
                registry,
                new RegistryCallHandler(
                        registry,
                        machine,
                        registryCaller,
                        registry.connected(request.from(), request.here())),
                meter);
    }
}
