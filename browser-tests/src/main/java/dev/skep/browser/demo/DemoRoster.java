package dev.skep.browser.demo;

import dev.skep.kernel.row.Timestamps;
import dev.skep.registry.table.RegistryTables;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Nodes with their counters and visits, as the registries of their hosts write them. */
final class DemoRoster {
    private static final List<String> FOLDERS =
            List.of("/home/maria/shop", "/srv/search", "/home/maria/site", "/opt/tools/report");

    private final Function<String, OwnRowWriter> writers;
    private final Instant now;

    DemoRoster(Function<String, OwnRowWriter> writers, Instant now) {
        this.writers = writers;
        this.now = now;
    }

    void write(Transaction transaction, List<DemoHost> hosts) {
        for (int i = 0; i < (hosts.isEmpty() ? 0 : 18); i++) {
            node(transaction, hosts.get(i * 3 % hosts.size()), i);
        }
    }

    private void node(Transaction transaction, DemoHost host, int i) {
        OwnRowWriter writer = writers.apply(host.id());
        boolean active = host.isThere() && i % 5 != 3;
        Instant seen =
                active
                        ? now.minusSeconds(i)
                        : host.isThere()
                                ? now.minus(Duration.ofMinutes(5 + i * 13L))
                                : now.minus(DemoHealth.AWAY);
        String node = "%s-%d".formatted(FOLDERS.get(i % 4).replaceFirst(".*/", ""), 41_000 + i);
        Instant registered = now.minus(Duration.ofDays(1 + i % 9));
        long reconnects = (i + 3L) % 6;
        String written = Timestamps.format(now);
        writer.put(
                transaction,
                RegistryTables.NODES,
                RegistryTables.NODES.values(
                        "id, machine, cwd, port, pid, status, registered_at, last_seen_at, offline_since, reconnects, created_at, updated_at",
                        node,
                        host.name(),
                        FOLDERS.get(i % 4),
                        41_000L + i,
                        12_000L + i * 77L,
                        active ? "active" : "offline",
                        Timestamps.format(registered),
                        Timestamps.format(seen),
                        active ? null : Timestamps.format(seen),
                        reconnects,
                        written,
                        written));
        writer.put(
                transaction,
                RegistryTables.STATS,
                RegistryTables.STATS.values(
                        "node_id, messages_relayed, proxy_sessions, total_uptime_sec, errors, counted_until, created_at, updated_at",
                        node,
                        1_280L * i + 12,
                        i * 3L + 1,
                        86_400L * (1 + i % 9) - i * 4_000L,
                        i == 7 ? 2L : 0L,
                        Timestamps.format(active ? now.minusSeconds(20 + i) : seen),
                        written,
                        written));
        visits(transaction, writer, node, registered, reconnects);
    }

    private void visits(
            Transaction transaction,
            OwnRowWriter writer,
            String node,
            Instant registered,
            long reconnects) {
        long stretch = Duration.between(registered, now).toSeconds() / (reconnects + 1);
        for (int i = 0; i <= reconnects; i++) {
            Instant broke = registered.plusSeconds(i * stretch);
            if (i > 0) {
                visit(transaction, writer, node, i + "a", "disconnected", broke, 50_099 + i);
            }
            Instant back = i == 0 ? broke : broke.plusSeconds(41);
            visit(transaction, writer, node, i + "b", "connected", back, 50_100 + i);
        }
    }

    private static void visit(
            Transaction transaction,
            OwnRowWriter writer,
            String node,
            String id,
            String event,
            Instant at,
            int port) {
        writer.put(
                transaction,
                RegistryTables.CONNECTIONS,
                RegistryTables.CONNECTIONS.values(
                        "id, node_id, event, ts, peer_addr, created_at, updated_at",
                        node + ".c" + id,
                        node,
                        event,
                        Timestamps.format(at),
                        "10.0.4.20:" + port,
                        Timestamps.format(at),
                        Timestamps.format(at)));
    }
}
