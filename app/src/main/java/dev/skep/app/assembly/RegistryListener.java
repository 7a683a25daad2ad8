package dev.skep.app.assembly;

import dev.skep.app.config.RegistryOptions;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Authentication;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.Dispatch;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.socket.SocketEndpoints;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A listener with nothing but a registry behind it. */
final class RegistryListener {
    private static final RequestLimits LIMITS = new RequestLimits(1 << 20, 5_000, 20_000);

    private RegistryListener() {}

    static Listener open(Surroundings around, RegistryOptions options, RegistryHouse house) {
        ListenerConfig config =
                new ListenerConfig(
                        options.address(),
                        options.port(),
                        Optional.empty(),
                        true,
                        Set.of(around.configuration().host().hostname()),
                        options.origins(),
                        LIMITS);
        SocketEndpoints sockets = house.endpoints(config);
        RouteTable routes = new RouteTable(new HealthRoutes(around.meters(), Map.of()).routes());
        Listener listener =
                new Listener(
                        config,
                        new Dispatch(routes, new Nobody()),
                        new Listener.Mounts(List.of(), List.of(sockets.andTheRest())),
                        new RequestMeter(around.meters()),
                        new SecureRandom());
        around.lifecycle().start("registry listener", listener);
        around.lifecycle().start("registry sockets", sockets);
        return listener;
    }

    /** Nobody signs in here: clients show their token to the registry itself. */
    private static final class Nobody implements Authentication {
        @Override
        public Optional<Principal> principalOf(Credentials credentials) {
            return Optional.empty();
        }

        @Override
        public boolean isOrg(OrgId org) {
            return false;
        }
    }
}
