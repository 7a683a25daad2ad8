package dev.skep.benchmark.registry;

import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.Timestamps;
import dev.skep.registry.table.RegistryTables;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A data dir whose registry remembers many nodes, with their history and counts. */
final class StoredNodes {
    private StoredNodes() {}

    static void write(Path folder, int count) {
        InstantSource clock = InstantSource.system();
        SecureRandom random = new SecureRandom();
        UlidSource ids = new UlidSource(clock, random);
        String time = Timestamps.format(clock.instant());
        List<SyncTable> all = new ArrayList<>(List.of(HostTable.HOSTS));
        all.addAll(RegistryTables.ALL);
        try (Database database =
                Databases.open(new DatabaseUrl.Sqlite(folder.resolve("runner.db")), clock)) {
            LocalHost host =
                    LocalHost.open(
                            database,
                            new SyncTables(all),
                            new FeedClock(clock, random),
                            ids,
                            clock,
                            random,
                            new LocalHost.Config(folder, "bench", HostKind.RUNNER));
            List<@Nullable Object[]> nodes = new ArrayList<>();
            List<@Nullable Object[]> visits = new ArrayList<>();
            List<@Nullable Object[]> stats = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String id = "node-" + i;
                nodes.add(
                        RegistryTables.NODES.values(
                                "id, machine, cwd, port, pid, status, registered_at, last_seen_at, offline_since, reconnects, created_at, updated_at",
                                id,
                                "machine-" + i % 100,
                                "/home/agent/work",
                                (long) i,
                                1L,
                                "offline",
                                time,
                                time,
                                time,
                                0L,
                                time,
                                time));
                for (String event : List.of("connected", "disconnected")) {
                    visits.add(
                            RegistryTables.CONNECTIONS.values(
                                    "id, node_id, event, ts, peer_addr, created_at, updated_at",
                                    ids.next(),
                                    id,
                                    event,
                                    time,
                                    "127.0.0.1",
                                    time,
                                    time));
                }
                stats.add(
                        RegistryTables.STATS.values(
                                "node_id, messages_relayed, proxy_sessions, total_uptime_sec, errors, counted_until, created_at, updated_at",
                                id,
                                1L,
                                1L,
                                1L,
                                0L,
                                time,
                                time,
                                time));
            }
            database.write(
                    transaction -> {
                        host.ownRowWriter().putAll(transaction, RegistryTables.NODES, 0, nodes);
                        host.ownRowWriter()
                                .putAll(transaction, RegistryTables.CONNECTIONS, 0, visits);
                        host.ownRowWriter().putAll(transaction, RegistryTables.STATS, 0, stats);
                        return count;
                    });
        }
    }
}
