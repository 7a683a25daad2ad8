package dev.skep.supervisor.view;

import dev.skep.agents.view.SessionPageStore;
import dev.skep.kernel.identity.Principal;
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

    private final FleetReader fleet;
    private final Optional<DispatchReader> dispatch;
    private final HistoryReader history;
    private final AttentionList attention;

    public FleetTotals(
            FleetReader fleet,
            Optional<DispatchReader> dispatch,
            HistoryReader history,
            AttentionList attention) {
        this.fleet = fleet;
        this.dispatch = dispatch;
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
                        dispatch.map(d -> d.jobCounts(who, Optional.empty())).orElse(Map.of()),
                        history.sessions(who, running, Optional.empty(), COUNTED).stream()
                                .filter(session -> session.state().equals("running"))
                                .count(),
                        activeNodes(fleet.nodes(who)),
                        dispatch.map(d -> d.openAlerts(who, Optional.empty(), COUNTED).size())
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
