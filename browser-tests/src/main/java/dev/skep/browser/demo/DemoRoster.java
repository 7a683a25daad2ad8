package dev.skep.browser.demo;

import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.ConnectionView;
import dev.skep.supervisor.source.NodeSource;
import dev.skep.supervisor.source.NodeView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Nodes in memory. */
final class DemoRoster implements NodeSource {
    private static final List<String> FOLDERS =
            List.of("/home/maria/shop", "/srv/search", "/home/maria/site", "/opt/tools/report");

    private final List<NodeView> nodes = new ArrayList<>();
    private final Instant now;

    DemoRoster(List<DemoHost> hosts, Instant now) {
        this.now = now;
        for (int i = 0; i < (hosts.isEmpty() ? 0 : 18); i++) {
            DemoHost host = hosts.get(i * 3 % hosts.size());
            boolean active = host.isThere() && i % 5 != 3;
            Instant seen =
                    active
                            ? now.minusSeconds(i)
                            : host.isThere()
                                    ? now.minus(Duration.ofMinutes(5 + i * 13L))
                                    : now.minus(DemoHealth.AWAY);
            String node = "%s-%d".formatted(FOLDERS.get(i % 4).replaceFirst(".*/", ""), 41_000 + i);
            nodes.add(
                    new NodeView(
                            host.id() + "/" + node,
                            node,
                            host.id(),
                            host.name(),
                            FOLDERS.get(i % 4),
                            41_000 + i,
                            12_000L + i * 77L,
                            active ? "active" : "offline",
                            now.minus(Duration.ofDays(1 + i % 9)),
                            seen,
                            active ? null : seen,
                            (i + 3) % 6,
                            1_280L * i + 12,
                            i * 3L + 1,
                            86_400L * (1 + i % 9) - i * 4_000L,
                            i == 7 ? 2 : 0,
                            active ? now.minusSeconds(20 + i) : seen,
                            true));
        }
    }

    @Override
    public List<NodeView> all(Principal principal) {
        return principal.org().equals(DefaultOrg.DEFAULT) ? nodes : List.of();
    }

    @Override
    public List<ConnectionView> connections(
            Principal principal, String host, String node, Optional<String> until, int limit) {
        NodeView of =
                nodes.stream()
                        .filter(n -> n.host().equals(host) && n.node().equals(node))
                        .findFirst()
                        .orElseThrow();
        List<ConnectionView> events = new ArrayList<>();
        long stretch = Duration.between(of.registeredAt(), now).toSeconds() / (of.reconnects() + 1);
        for (int i = 0; i <= of.reconnects(); i++) {
            Instant broke = of.registeredAt().plusSeconds(i * stretch);
            String address = "10.0.4.20:%d".formatted(50_100 + i);
            if (i > 0) {
                String old = "10.0.4.20:%d".formatted(50_099 + i);
                events.addFirst(new ConnectionView("c" + i + "a", "disconnected", broke, old));
            }
            events.addFirst(
                    new ConnectionView(
                            "c" + i + "b",
                            "connected",
                            i == 0 ? broke : broke.plusSeconds(41),
                            address));
        }
        return events.stream()
                .filter(e -> until.isEmpty() || e.id().compareTo(until.get()) < 0)
                .limit(limit)
                .toList();
    }
}
