package dev.skep.directory.assembly;

import dev.skep.directory.host.LocalHost;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.routes.LocalHostRoutes;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The directory people and hosts are looked up in, on the database people sign in to. */
public final class DirectoryModule implements FeatureModule {
    private final Directory directory;
    private final LocalHost own;
    private final InstantSource clock;
    private final boolean plainOffLoopback;

    /**
     * Made and not yet open.
     *
     * @param own the host whose hubs and key the command line is about: a runner's, where one is
     * @param plainOffLoopback whether hubs on other machines may be joined without TLS
     */
    public DirectoryModule(
            HostProcess people,
            LocalHost own,
            EventBus eventBus,
            Directory.Config config,
            boolean plainOffLoopback) {
        this.directory =
                new Directory(
                        people.database(),
                        people.host(),
                        eventBus,
                        new Directory.Sources(
                                people.ids(),
                                people.clock(),
                                people.steady(),
                                System::nanoTime,
                                new SecureRandom()),
                        config);
        this.own = own;
        this.clock = people.clock();
        this.plainOffLoopback = plainOffLoopback;
    }

    @Override
    public void open(Lifecycle lifecycle) {
        lifecycle.own("directory", directory);
    }

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>(directory.routes());
        routes.addAll(new LocalHostRoutes(own, clock, plainOffLoopback).routes());
        return routes;
    }

    /** A pairing code for the runner of the same process. */
    public String pairingCode() {
        Actor local = Actor.local(directory.host().org());
        return directory.acceptor().hosts().pair(local, Optional.empty()).code();
    }

    public Directory directory() {
        return directory;
    }
}
