package dev.skep.supervisor.view;

import dev.skep.agents.view.SessionPageStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.JobSource;
import dev.skep.supervisor.source.Sources;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Adds up the fleet. */
public final class FleetTotals {
    /** More open alerts or sessions than this are shown as this many. */
    private static final int COUNTED = 1_000;

    private final Sources sources;
    private final FleetReader fleet;
    private final HistoryReader history;
    private final AttentionList attention;

    public FleetTotals(
            Sources sources, FleetReader fleet, HistoryReader history, AttentionList attention) {
        this.sources = sources;
        this.fleet = fleet;
        this.history = history;
        this.attention = attention;
    }

    public List<FleetView> of(Principal who) {
        List<AgentView> agents =
                fleet.recentAgents(who).stream()
                        .filter(a -> a.kind().equals("agent") && !a.removed())
                        .toList();
        List<HostView> hosts = fleet.recentHosts(who);
        var running = new SessionPageStore.Filter(Optional.empty(), Optional.empty(), true);
        return List.of(
                new FleetView(
                        "fleet",
                        counted(hosts.stream().filter(h -> !h.isHub()).toList(), HostView::status),
                        hosts.stream().mapToInt(h -> Objects.hash(h.id(), h.name())).sum(),
                        counted(agents, AgentView::status),
                        sources.jobs()
                                .map(j -> j.counts(who, JobSource.Filter.ALL))
                                .orElse(Map.of()),
                        history.sessions(who, running, Optional.empty(), COUNTED).stream()
                                .filter(session -> session.state().equals("running"))
                                .count(),
                        sources.nodes()
                                .map(n -> fleet.nodes(who, n.all(who)))
                                .map(FleetTotals::activeNodes)
                                .orElse(0L),
                        sources.alerts()
                                .map(a -> a.newest(who, true, Optional.empty(), COUNTED).size())
                                .orElse(0),
                        attention.recent(who).size(),
                        agents.stream().mapToLong(AgentView::unread).sum(),
                        fleet.recentAgents(who).stream().mapToLong(AgentView::spentToday).sum()));
    }

    private static long activeNodes(List<NodeView> nodes) {
        return nodes.stream().filter(node -> node.status().equals("active")).count();
    }

    private static <T> Map<String, Long> counted(List<T> rows, Function<T, String> by) {
        return rows.stream()
                .collect(Collectors.groupingBy(by, TreeMap::new, Collectors.counting()));
    }
}
