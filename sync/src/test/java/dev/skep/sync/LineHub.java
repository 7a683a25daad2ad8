package dev.skep.sync;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
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
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A hub with links and sync on a free port; hosts come in under any name. */
final class LineHub implements AutoCloseable {
    final Database database;
    final Hub hub;
    private final Lifecycle lifecycle = new Lifecycle();
    private final Listener listener;

    LineHub(Path folder, SyncLimits limits) {
        this(folder, limits, LinkServer.LIMITS);
    }

    LineHub(Path folder, SyncLimits limits, SocketLimits ofSockets) {
        InstantSource clock = InstantSource.system();
        database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("hub.db")), clock);
        lifecycle.own("database", database);
        FeedClock feed = new FeedClock(clock, new SecureRandom());
        feed.start(database);
        hub =
                lifecycle.start(
                        "hub",
                        new Hub(
                                new Hub.Base(
                                        database,
                                        feed,
                                        schema(),
                                        limits,
                                        new EventBus(),
                                        clock,
                                        clock,
                                        new SecureRandom()),
                                PlainLinks.linkAcceptor(),
                                List.of()));
        ListenerConfig config = ListenerConfig.loopback(0);
        SocketEndpoints sockets =
                new SocketEndpoints(
                        new BrowserGuard(config), List.of(LinkServer.PATH), hub.links(), ofSockets);
        listener =
                new Listener(
                        config,
                        new Router(new RouteTable(List.of()), Authenticator.NOBODY),
                        new Listener.Mounts(List.of(), List.of(sockets)),
                        new RequestMeter(new Metrics()),
                        new SecureRandom());
        lifecycle.start("listener", listener);
        lifecycle.start("sockets", sockets);
    }

    static SyncSchema schema() {
        List<SyncTable> tables = new ArrayList<>(List.of(HostTable.HOSTS));
        tables.addAll(AgentTables.ALL);
        return SyncSchema.of(new SyncTables(tables), 1);
    }

    int port() {
        return listener.port();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    long count(SyncTable table) {
        return LineRunner.count(database, table);
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
