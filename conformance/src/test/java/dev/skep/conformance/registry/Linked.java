package dev.skep.conformance.registry;

import dev.skep.app.assembly.HostProcess;
import dev.skep.app.assembly.RegistryHouse;
import dev.skep.app.assembly.Surroundings;
import dev.skep.app.config.Configuration;
import dev.skep.app.config.DataDir;
import dev.skep.app.config.Setting;
import dev.skep.app.config.SettingSources;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.proxy.NodeRoute;
import dev.skep.store.DatabaseUrl;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Authentication;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.Dispatch;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.socket.SocketEndpoints;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What the two ends of a linked fleet have in common. */
final class Linked {
    private Linked() {}

    static HostProcess process(Lifecycle lifecycle, Path folder, HostKind kind) {
        Configuration configuration = configuration(folder, kind);
        DataDir.prepare(configuration.dataDir());
        return HostProcess.open(
                lifecycle,
                new DatabaseUrl.Sqlite(folder.resolve(kind.stored() + ".db")),
                configuration,
                kind);
    }

    private static Configuration configuration(Path folder, HostKind kind) {
        return Configuration.read(
                new SettingSources(
                        Map.of(Setting.DATA_DIR, folder.toString()), Map.of(), folder, folder),
                () -> kind.stored());
    }

    static RegistryHouse house(
            Lifecycle lifecycle,
            HostProcess process,
            Path folder,
            Predicate<HostId> isOnline,
            Optional<NodeRoute> linked) {
        return RegistryHouse.open(
                new Surroundings(
                        lifecycle,
                        configuration(folder, process.host().kind()),
                        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                        folder,
                        "test"),
                process,
                isOnline,
                linked);
    }

    /** A listener with the registry's sockets, and others. */
    static Listener listen(Lifecycle lifecycle, RegistryHouse house, List<SocketEndpoints> others) {
        ListenerConfig config =
                ListenerConfig.loopback(0).with(new RequestLimits(1 << 20, 100_000, 100_000));
        List<SocketEndpoints> all = new ArrayList<>(others);
        all.add(house.endpoints(config, House::others, true));
        Listener listener =
                new Listener(
                        config,
                        new Dispatch(new RouteTable(List.of()), new Nobody()),
                        new Listener.Mounts(List.of(), List.copyOf(all)),
                        new RequestMeter(new SimpleMeterRegistry()),
                        new SecureRandom());
        lifecycle.start("listener", listener);
        all.forEach(sockets -> lifecycle.start("sockets", sockets));
        return listener;
    }

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
