package dev.skep.benchmark.sync;

import dev.skep.directory.assembly.Directory;
import dev.skep.directory.assembly.DirectoryLinkAcceptor;
import dev.skep.directory.history.ConnectionLog;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.link.Hub;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketEndpoints;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A hub of the benchmark: the product's store, directory and links behind its listener. */
final class HubChild {
    private HubChild() {}

    public static void main(String[] arguments) throws Exception {
        BenchBase base = BenchBase.open(Path.of(arguments[0]), "bench-hub", HostKind.HUB);
        Directory directory = directory(base, Path.of(arguments[0]));
        var connectionLog =
                new ConnectionLog(
                        base.database(),
                        new UlidSource(base.clock(), new SecureRandom()),
                        base.clock(),
                        () -> "");
        connectionLog.start();
        Hub hub =
                new Hub(
                        new Hub.Base(
                                base.database(),
                                base.feed(),
                                base.schema(),
                                SyncLimits.DEFAULT,
                                new EventBus(),
                                base.clock(),
                                base.clock(),
                                new SecureRandom()),
                        new DirectoryLinkAcceptor(directory.acceptor(), connectionLog),
                        List.of());
        // Thousands of hosts share this machine's one address, which no fleet does.
        ListenerConfig config =
                ListenerConfig.loopback(0).with(new RequestLimits(1 << 20, 100_000, 100_000));
        SocketEndpoints sockets =
                new SocketEndpoints(
                        new BrowserGuard(config),
                        List.of(LinkServer.PATH),
                        hub.links(),
                        LinkServer.LIMITS);
        Listener listener =
                new Listener(
                        config,
                        new Router(
                                new RouteTable(directory.routes()),
                                directory.authentication(Optional.empty())),
                        new Listener.Mounts(List.of(), List.of(sockets)),
                        new RequestMeter(new Metrics()),
                        new SecureRandom());
        sockets.start();
        listener.start();
        hub.start();
        Commands.serve(
                words ->
                        switch (words[0]) {
                            case "port" -> Integer.toString(listener.port());
                            case "count" -> Long.toString(base.count(words[1]));
                            case "pulled" -> Long.toString(pulled(base, words[1]));
                            case "memory" -> Long.toString(memory());
                            default -> throw new IllegalArgumentException(words[0]);
                        });
        hub.close();
        connectionLog.close();
        listener.close();
        sockets.close();
        directory.close();
        base.close();
    }

    private static Directory directory(BenchBase base, Path folder) {
        SecureRandom random = new SecureRandom();
        return new Directory(
                base.database(),
                base.host(),
                new EventBus(),
                new Directory.Sources(
                        new UlidSource(base.clock(), random),
                        base.clock(),
                        base.clock(),
                        System::nanoTime,
                        random),
                new Directory.Config(
                        folder,
                        Optional.of(BenchBase.ACCESS_KEY),
                        Runtime.getRuntime().availableProcessors(),
                        (who, agent) -> Optional.empty(),
                        who -> Map.of()));
    }

    private static long pulled(BenchBase base, String host) {
        return base.database()
                .read(
                        db ->
                                db.first(
                                                "SELECT since_timestamp FROM hub_sync_state WHERE"
                                                        + " id = ?",
                                                row -> row.number(1),
                                                host)
                                        .orElse(0L));
    }

    /** Bytes in use on the heap after a collection, and in buffers outside it. */
    private static long memory() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long outside = 0;
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            outside += pool.getMemoryUsed();
        }
        return heap + outside;
    }
}
