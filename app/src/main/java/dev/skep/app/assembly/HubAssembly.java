package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.hub.DirectoryDoor;
import dev.skep.hub.Hub;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.routes.TakeoverRoutes;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.route.Route;
import dev.skep.transport.socket.SocketEndpoints;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/** The hub of a process: its links, mounted on the listener. */
public final class HubAssembly {
    private final DirectoryAssembly people;
    private final Hub hub;
    private final SocketEndpoints sockets;

    public HubAssembly(
            Lifecycle lifecycle,
            Configuration configuration,
            HostProcess process,
            DirectoryAssembly people,
            Events events) {
        this.people = people;
        hub =
                lifecycle.start(
                        "hub",
                        new Hub(
                                new Hub.Base(
                                        process.database(),
                                        process.feed(),
                                        process.schema(),
                                        SyncLimits.DEFAULT,
                                        SystemTime.clock(),
                                        new SecureRandom()),
                                new DirectoryDoor(people.directory().door()),
                                List.of()));
        lifecycle.own("hub events", events.subscribe(hub::onEvent));
        sockets =
                lifecycle.start(
                        "sockets",
                        new SocketEndpoints(
                                new BrowserGuard(configuration.listener()),
                                List.of(LinkServer.PATH),
                                hub.links(),
                                LinkServer.LIMITS));
    }

    public List<Route> routes() {
        return new TakeoverRoutes(hub.takeovers()).routes();
    }

    public Listener.Mounts mounts() {
        return new Listener.Mounts(List.of(), List.of(sockets));
    }

    /** Hosts are told before the listener goes, so that nobody takes it for a broken line. */
    public void sayGoodbyeFirst(Lifecycle lifecycle) {
        lifecycle.own("links", hub.links()::closeAll);
    }

    /** Lets the runner of the same process in. */
    public String pairingCode() {
        Actor local = Actor.local(people.directory().host().org());
        return people.directory().door().hosts().pair(local, Optional.empty()).code();
    }
}
