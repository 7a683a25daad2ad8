package dev.skep.app.assembly;

import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.Setting;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.registry.module.RegistryModule;
import dev.skep.registry.module.RegistryOptions;
import dev.skep.transport.http.ConnectionLimits;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketEndpoints;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** A listener with a registry behind it; clients show their token to that. */
final class RegistryListener {
    private static final RequestLimits LIMITS = new RequestLimits(1 << 20, 5_000, 20_000);

    private static final ListenerConfig.Advice ADVICE =
            new ListenerConfig.Advice(Setting.NAMES.flag(), Setting.ALLOW_ORIGIN.flag());

    private RegistryListener() {}

    /** The machine's own names, and the configured ones. */
    private static Set<String> names(Configuration configuration) {
        Set<String> names = new HashSet<>(configuration.listener().names());
        names.add(configuration.host().hostname());
        return names;
    }

    /**
     * Opens it; if the port is taken, the error says how to choose another.
     *
     * @param router what else it answers
     * @param flag what sets the port
     * @param part of all that this process may open
     */
    static Listener open(
            ProcessContext around,
            RegistryModule registry,
            Router router,
            String flag,
            double part) {
        RegistryOptions options = registry.options();
        ListenerConfig config =
                new ListenerConfig(
                        options.address(),
                        options.port(),
                        Optional.empty(),
                        true,
                        names(around.configuration()),
                        options.pages(),
                        LIMITS,
                        around.configuration().listener().proxies(),
                        ConnectionLimits.share(part),
                        ADVICE);
        try {
            SocketEndpoints sockets = registry.sockets().open(config);
            Listener listener =
                    SocketListener.open(
                            around.lifecycle(), config, sockets, router, around.meters());
            registry.sockets().count(listener.port(), sockets);
            return listener;
        } catch (SkepException e) {
            if (e.code() != ErrorCode.PORT_IN_USE) {
                throw e;
            }
            throw new SkepException(
                    ErrorCode.PORT_IN_USE,
                    "port %d on %s is in use; stop the other program or choose another with %s"
                            .formatted(options.port(), options.address(), flag),
                    e);
        }
    }
}
