package dev.skep.registry;

import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.proxy.LinkNodeConnector;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.link.Hub;
import dev.skep.testkit.hub.PlainLinks;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
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
    private final TestRegistry testRegistry;
    private final Listener links;

    LinkedHub(Path folder) {
        testRegistry =
                new TestRegistry(
                        TestRegistry.Options.in(folder),
                        sessions::isLinked,
                        Optional.of(new LinkNodeConnector(sessions, host -> Optional.empty())));
        lifecycle.own("house", testRegistry);
        sessions.onChange(host -> testRegistry.registry().others().changed(host.id()));
        testRegistry.feed.onAdvanced(() -> testRegistry.registry().others().moved());
        Hub hub =
                lifecycle.start(
                        "hub",
                        new Hub(
                                new Hub.Base(
                                        testRegistry.database,
                                        testRegistry.feed,
                                        testRegistry.schema,
                                        SyncLimits.DEFAULT,
                                        new EventBus(),
                                        InstantSource.system(),
                                        InstantSource.system(),
                                        new SecureRandom()),
                                PlainLinks.linkAcceptor(),
                                List.of(sessions)));
        ListenerConfig config = ListenerConfig.loopback(0);
        SocketEndpoints sockets =
                new SocketEndpoints(
                        new BrowserGuard(config),
                        List.of(LinkServer.PATH),
                        hub.links(),
                        LinkServer.LIMITS);
        links =
                new Listener(
                        config,
                        new Router(new RouteTable(List.of()), Authenticator.NOBODY),
                        new Listener.Mounts(List.of(), List.of(sockets)),
                        new RequestMeter(new Metrics()),
                        new SecureRandom());
        lifecycle.start("listener", links);
        lifecycle.start("sockets", sockets);
        lifecycle.own("links", hub.links()::closeAll);
    }

    /** Where dashboards come in. */
    int port() {
        return testRegistry.port();
    }

    /** Where hosts come in. */
    int linkPort() {
        return links.port();
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
