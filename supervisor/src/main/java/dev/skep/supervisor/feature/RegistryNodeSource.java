package dev.skep.supervisor.feature;

import dev.skep.kernel.identity.Principal;
import dev.skep.registry.service.NodeList;
import dev.skep.supervisor.source.ConnectionView;
import dev.skep.supervisor.source.NodeSource;
import dev.skep.supervisor.source.NodeView;
import java.util.List;
import java.util.Optional;

/** The roster of all hosts, from the rows they sent and what is not stored yet. */
public final class RegistryNodeSource implements NodeSource {
    private final NodeList nodes;

    public RegistryNodeSource(NodeList nodes) {
        this.nodes = nodes;
    }

    @Override
    public List<NodeView> all(Principal principal) {
        return nodes.all(principal).stream()
                .map(
                        n ->
                                new NodeView(
                                        n.host() + "/" + n.id(),
                                        n.id(),
                                        n.host(),
                                        n.machine(),
                                        n.cwd(),
                                        n.port(),
                                        n.pid(),
                                        n.status(),
                                        n.registeredAt(),
                                        n.lastSeenAt(),
                                        n.offlineSince(),
                                        n.reconnects(),
                                        n.messages(),
                                        n.sessions(),
                                        n.uptimeSeconds(),
                                        n.errors(),
                                        n.countedUntil(),
                                        n.stored()))
                .toList();
    }

    @Override
    public List<ConnectionView> connections(
            Principal principal, String host, String node, Optional<String> before, int limit) {
        return nodes.visits(principal, host, node, before.orElse(""), limit).stream()
                .map(v -> new ConnectionView(v.id(), v.event(), v.at(), v.peer()))
                .toList();
    }
}
