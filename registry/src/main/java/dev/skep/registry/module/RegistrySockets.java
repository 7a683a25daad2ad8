package dev.skep.registry.module;

import dev.skep.directory.assembly.Directory;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.registry.folder.AgentSpawner;
import dev.skep.registry.folder.HomeFolder;
import dev.skep.registry.proxy.NodeConnector;
import dev.skep.registry.routes.RegistryAccess;
import dev.skep.registry.routes.RegistryCallHandler;
import dev.skep.registry.routes.RegistryMeter;
import dev.skep.registry.routes.RegistrySocketAcceptor;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.util.List;

/** The sockets that lead to registries, on a listener of their own or on any other. */
public final class RegistrySockets {
    private static final int MOST_AGENTS = 32;

    private final HostProcess process;
    private final RegistryModule.Config config;
    private final RegistryModule registries;
    private final NodeConnector nodeConnector;
    private final RegistryMeter meter;

    RegistrySockets(
            HostProcess process,
            RegistryModule.Config config,
            RegistryModule registries,
            NodeConnector nodeConnector,
            RegistryMeter meter) {
        this.process = process;
        this.config = config;
        this.registries = registries;
        this.nodeConnector = nodeConnector;
        this.meter = meter;
    }

    /**
     * The sockets under {@code /ws} of a listener for nodes, to be mounted before it starts and
     * started after it, so that they close before it does.
     */
    public SocketEndpoints open(ListenerConfig listener) {
        RegistryOptions options = config.options();
        if (config.token().isEmpty() && !options.isLoopback()) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION,
                    "a registry that listens on %s lets other machines in, which needs a token; set HYPI_TOKEN or listen on 127.0.0.1"
                            .formatted(options.address()));
        }
        RegistryTokens tokens = new RegistryTokens(process);
        return endpoints(listener, (request, offered) -> tokens.callerOf(offered), true);
    }

    /** The same on a shared listener, where every client needs a key or a session. */
    SocketEndpoints guarded(ListenerConfig listener, Directory directory) {
        RegistryTokens tokens = new RegistryTokens(process);
        OperatorCallers operators = new OperatorCallers(directory);
        // Only configured origins: a browser sends its session to any port here.
        return endpoints(
                listener.withOrigins(config.options().origins().chosen()),
                (request, offered) ->
                        tokens.callerOf(offered).or(() -> operators.visitorOf(request)),
                false);
    }

    private SocketEndpoints endpoints(
            ListenerConfig listener, RegistryAccess.OtherCallers others, boolean open) {
        RegistryAccess access =
                new RegistryAccess(config.token(), DefaultOrg.DEFAULT, others, open);
        return new SocketEndpoints(
                new BrowserGuard(listener),
                List.of("/ws/*"),
                new RegistrySocketAcceptor(access, registries::of, machine(), nodeConnector, meter),
                SocketLimits.USUAL);
    }

    /** Counts the sockets of a listener that is open: before, its port may be any. */
    public void count(int port, SocketEndpoints endpoints) {
        meter.show(port, endpoints::count);
    }

    private RegistryCallHandler.Machine machine() {
        HomeFolder home = new HomeFolder(config.home());
        AgentSpawner spawner =
                new AgentSpawner(
                        home,
                        new AgentSpawner.Settings(
                                config.options().allowSpawn(),
                                config.options().agentCommand(),
                                config.dataDir().resolve("logs"),
                                MOST_AGENTS));
        return new RegistryCallHandler.Machine(
                home, spawner, registries::exportOf, registries::importInto, config.version());
    }
}
