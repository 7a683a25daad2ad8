package dev.skep.supervisor.view;

import dev.skep.agents.Agent;
import dev.skep.agents.view.AgentListStore;
import dev.skep.agents.view.AgentRow;
import dev.skep.directory.HostRow;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.ApprovalSource;
import dev.skep.supervisor.source.HostHealth;
import dev.skep.supervisor.source.Sources;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Hosts and agents, each seen in the light of the other. Thread-safe. */
public final class FleetReader {
    static final String UNREACHABLE = "unreachable";

    private final Sources sources;
    private final InstantSource clock;
    private final CpuHistory history = new CpuHistory();
    private final CachedList<HostView> hosts;
    private final CachedList<AgentView> agents;
    private final CachedList<AgentRow> rows;

    public FleetReader(
            Sources sources,
            AgentListStore agentList,
            InstantSource clock,
            LongSupplier changes,
            LongSupplier nanoTime) {
        this.sources = sources;
        this.clock = clock;
        this.rows = new CachedList<>(p -> agentList.all(p, today()), changes, nanoTime);
        this.hosts = new CachedList<>(this::readHosts, changes, nanoTime);
        this.agents = new CachedList<>(this::readAgents, changes, nanoTime);
    }

    /** Midnight UTC, from which a day's money is counted. */
    Instant today() {
        return clock.instant().truncatedTo(ChronoUnit.DAYS);
    }

    /** Until when what was read last is true if nothing happens: hosts fall silent, days end. */
    public Optional<Instant> validUntil(Principal principal) {
        Instant tomorrow = today().plus(1, ChronoUnit.DAYS);
        return Optional.of(
                sources.health()
                        .validUntil(principal)
                        .filter(silent -> silent.isBefore(tomorrow))
                        .orElse(tomorrow));
    }

    public List<HostView> hosts(Principal principal) {
        return hosts.now(principal);
    }

    public List<AgentView> agents(Principal principal) {
        return agents.now(principal);
    }

    List<HostView> recentHosts(Principal principal) {
        return hosts.recent(principal);
    }

    List<AgentView> recentAgents(Principal principal) {
        return agents.recent(principal);
    }

    public Optional<HostView> host(Principal principal, String id) {
        return recentHosts(principal).stream().filter(host -> host.id().equals(id)).findFirst();
    }

    public Optional<AgentView> agent(Principal principal, String id) {
        return recentAgents(principal).stream().filter(a -> a.id().equals(id)).findFirst();
    }

    /** Nodes as they can be claimed to be: active only while their host answers. */
    public List<NodeView> nodes(Principal principal) {
        Set<String> there = hostsThere(principal);
        return sources.nodes().all(principal).stream()
                .map(
                        node ->
                                NodeView.of(
                                        node,
                                        node.status().equals("active")
                                                        && !there.contains(node.hostId())
                                                ? UNREACHABLE
                                                : node.status()))
                .toList();
    }

    /** Commands that wait, and those that were decided lately. */
    public List<ApprovalView> approvals(
            Principal principal, ApprovalSource approvalSource, int decided) {
        DisplayNames names = DisplayNames.of(this, principal);
        Map<String, ApprovalView> cards = new LinkedHashMap<>();
        approvalSource
                .waiting(principal)
                .forEach(
                        w ->
                                cards.put(
                                        w.id(),
                                        ApprovalView.of(
                                                w, names, mayAlways(principal, w.agent()))));
        // A host's log may be ahead of its agent's notification.
        approvalSource
                .decided(principal, decided)
                .forEach(d -> cards.put(d.id(), ApprovalView.of(d, names)));
        return List.copyOf(cards.values());
    }

    /** A host that does not report what it allows is asked, and says no by itself. */
    private boolean mayAlways(Principal principal, String agent) {
        return agent(principal, agent)
                .flatMap(known -> host(principal, known.host()))
                .map(HostView::allows)
                .map(allows -> allows.contains(Consent.AGENTS.label()))
                .orElse(true);
    }

    Set<String> hostsThere(Principal principal) {
        return recentHosts(principal).stream()
                .filter(HostView::isThere)
                .map(HostView::id)
                .collect(Collectors.toSet());
    }

    /** What people call each host. */
    public Map<String, String> hostNames(Principal principal) {
        Map<String, String> names = new HashMap<>();
        recentHosts(principal).forEach(host -> names.put(host.id(), host.name()));
        return names;
    }

    private List<HostView> readHosts(Principal principal) {
        Map<String, HostHealth> health = new HashMap<>();
        sources.health().of(principal).forEach(h -> health.put(h.host(), h));
        Map<String, int[]> counts = new HashMap<>();
        for (AgentRow agent : rows.recent(principal)) {
            Agent of = agent.agent();
            if (of.kind() == Agent.Kind.AGENT && of.isLive()) {
                int[] count = counts.computeIfAbsent(of.host().value(), host -> new int[2]);
                count[0]++;
                count[1] += agent.status().equals("active") ? 1 : 0;
            }
        }
        return sources.roster().apply(principal).stream()
                .map(
                        known ->
                                host(
                                        known,
                                        health.get(known.id().value()),
                                        counts.get(known.id().value())))
                .toList();
    }

    private HostView host(HostRow known, @Nullable HostHealth health, int @Nullable [] counts) {
        return HostView.of(
                known,
                health,
                health == null ? List.of() : history.with(health),
                counts == null ? 0 : counts[0],
                counts == null ? 0 : counts[1]);
    }

    private List<AgentView> readAgents(Principal principal) {
        Map<String, HostView> byId = new HashMap<>();
        hosts.recent(principal).forEach(host -> byId.put(host.id(), host));
        return rows.now(principal).stream()
                .map(row -> AgentView.of(row, byId.get(row.agent().host().value())))
                .toList();
    }
}
