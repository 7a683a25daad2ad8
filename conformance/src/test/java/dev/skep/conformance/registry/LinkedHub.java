package dev.skep.conformance.registry;

import dev.skep.app.assembly.HostProcess;
import dev.skep.app.assembly.RegistryHouse;
import dev.skep.directory.host.HostKind;
import dev.skep.hub.Hub;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.proxy.LinkedRoute;
import dev.skep.sync.SyncLimits;
import dev.skep.testkit.PlainLinks;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.session.SessionOpener;
import dev.skep.transport.socket.SocketEndpoints;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A hub with links, sync and a registry; links come in under any name. */
final class LinkedHub implements AutoCloseable {
    final SessionOpener sessions = new SessionOpener();
    private final Lifecycle lifecycle = new Lifecycle();
    private final Listener listener;

    LinkedHub(Path folder) {
        HostProcess process = Linked.process(lifecycle, folder, HostKind.HUB);
        Hub hub =
                lifecycle.start(
                        "hub",
                        new Hub(
                                new Hub.Base(
                                        process.database(),
                                        process.feed(),
                                        process.schema(),
                                        SyncLimits.DEFAULT,
                                        new Events(),
                                        InstantSource.system(),
                                        new SecureRandom()),
                                PlainLinks.door(),
                                List.of(sessions)));
        RegistryHouse house =
                Linked.house(
                        lifecycle,
                        process,
                        folder,
                        sessions::isLinked,
                        Optional.of(new LinkedRoute(sessions)));
        house.follow(sessions);
        SocketEndpoints links =
                new SocketEndpoints(
                        new BrowserGuard(ListenerConfig.loopback(0)),
                        List.of(LinkServer.PATH),
                        hub.links(),
                        LinkServer.LIMITS);
        listener = Linked.listen(lifecycle, house, List.of(links));
        lifecycle.own("links", hub.links()::closeAll);
    }

    String url() {
        return listener.localUrl();
    }

    int port() {
        return listener.port();
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
