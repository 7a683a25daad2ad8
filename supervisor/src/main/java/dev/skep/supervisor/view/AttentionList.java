package dev.skep.supervisor.view;

import dev.skep.dispatch.alert.AlertDetails;
import dev.skep.dispatch.view.JobFilter;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.NameTakenMessage;
import dev.skep.supervisor.source.ApprovalSource;
import dev.skep.supervisor.source.Sources;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What needs a person: the worst first, and nothing that does not. */
public final class AttentionList {
    private static final int EACH = 50;
    private static final Duration RECENTLY = Duration.ofHours(24);
    private static final List<String> FAILED = List.of("failed", "timed_out", "lost");

    private final Sources sources;
    private final FleetReader fleet;
    private final Optional<DispatchReader> dispatch;
    private final InstantSource clock;
    private final CachedList<AttentionView> read;

    /** When the first of the failed runs is no longer recent; of each org. */
    private final Map<OrgId, Instant> oldest = new ConcurrentHashMap<>();

    public AttentionList(
            Sources sources,
            FleetReader fleet,
            Optional<DispatchReader> dispatch,
            InstantSource clock,
            LongSupplier changes,
            LongSupplier nanoTime) {
        this.sources = sources;
        this.fleet = fleet;
        this.dispatch = dispatch;
        this.clock = clock;
        this.read = new CachedList<>(this::read, changes, nanoTime);
    }

    public List<AttentionView> of(Principal who) {
        return read.now(who);
    }

    /** Until when what was read last is true if nothing happens. */
    public Optional<Instant> validUntil(Principal who) {
        return Stream.of(fleet.validUntil(who), Optional.ofNullable(oldest.get(who.org())))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    List<AttentionView> recent(Principal who) {
        return read.recent(who);
    }

    private List<AttentionView> read(Principal who) {
        DisplayNames names = DisplayNames.of(fleet, who);
        List<AttentionView> all = new ArrayList<>();
        sources.approvals()
                .ifPresent(a -> a.waiting(who).forEach(w -> all.add(approval(w, names))));
        List<AlertDetails> alerts =
                dispatch.map(d -> d.openAlerts(who, Optional.empty(), EACH)).orElse(List.of());
        // An agent's problem has its own line, which links to the agent.
        alerts.stream()
                .filter(alert -> !alert.subject().startsWith("agent:"))
                .forEach(alert -> all.add(alert(alert)));
        Set<String> alerted =
                alerts.stream().map(AlertDetails::subject).collect(Collectors.toSet());
        fleet.recentHosts(who).stream()
                .filter(host -> host.status().equals("offline"))
                .filter(host -> !alerted.contains("host:" + host.id()))
                .limit(EACH)
                .forEach(host -> all.add(offline(host)));
        fleet.recentHosts(who).stream()
                .filter(host -> host.status().equals("degraded"))
                .limit(EACH)
                .forEach(host -> all.add(degraded(host)));
        dispatch.ifPresent(d -> failedRuns(d, who, names, all));
        fleet.recentAgents(who).stream()
                .filter(a -> a.kind().equals("agent") && !a.removed())
                .forEach(agent -> troubled(agent).ifPresent(all::add));
        return all;
    }

    private static AttentionView approval(ApprovalSource.Waiting w, DisplayNames names) {
        AskedDetail detail = AskedDetail.of(w.detail());
        boolean edits = detail.path() != null && "edit".equals(detail.kind());
        return new AttentionView(
                "approval:" + w.id(),
                "approval",
                "warn",
                w.id(),
                names.agent(w.agent())
                        + (edits ? " asks to edit a file" : " asks to run a command"),
                Objects.requireNonNullElse(detail.command(), w.command()),
                w.requestedAt());
    }

    private static AttentionView alert(AlertDetails alert) {
        return new AttentionView(
                "alert:" + alert.id(),
                "alert",
                "bad",
                alert.subject(),
                alert.message(),
                alert.kind(),
                alert.raisedAt());
    }

    private static AttentionView offline(HostView host) {
        String agents = host.agents() == 1 ? "1 agent" : host.agents() + " agents";
        return new AttentionView(
                "host:" + host.id(),
                "host",
                "bad",
                host.id(),
                host.name() + " is offline",
                agents + " cannot be reached",
                host.lastSeenAt());
    }

    private static AttentionView degraded(HostView host) {
        return new AttentionView(
                "host:" + host.id(),
                "host",
                "warn",
                host.id(),
                host.name() + " is degraded",
                Objects.requireNonNullElse(host.reason(), "its hub did not say why"),
                null);
    }

    private void failedRuns(
            DispatchReader reader, Principal who, DisplayNames names, List<AttentionView> all) {
        Instant since = clock.instant().minus(RECENTLY);
        oldest.remove(who.org());
        for (String status : FAILED) {
            List<JobView> newest = reader.jobs(who, JobFilter.newest(EACH).withStatus(status));
            List<JobView> recent =
                    newest.stream()
                            .filter(
                                    job ->
                                            job.finishedAt() != null
                                                    && job.finishedAt().isAfter(since))
                            .toList();
            recent.stream()
                    .map(JobView::finishedAt)
                    .filter(Objects::nonNull)
                    .forEach(
                            at ->
                                    oldest.merge(
                                            who.org(),
                                            at.plus(RECENTLY),
                                            (a, b) -> a.isBefore(b) ? a : b));
            all.addAll(FailedRuns.inGroups(recent, recent.size() == EACH, names::host));
        }
    }

    private static Optional<AttentionView> troubled(AgentView agent) {
        if (agent.nameConflict()) {
            return Optional.of(
                    about(
                            agent,
                            "conflict",
                            "warn",
                            NameTakenMessage.username(agent.username()),
                            "the one on %s came second and must be renamed"
                                    .formatted(agent.hostName())));
        }
        return switch (agent.status()) {
            case "over_budget" ->
                    Optional.of(
                            about(
                                    agent,
                                    "budget",
                                    "warn",
                                    agent.username() + " has used up its budget",
                                    "it waits until the limit allows more"));
            case "failed" ->
                    Optional.of(
                            about(
                                    agent,
                                    "agent",
                                    "bad",
                                    agent.username() + " cannot go on",
                                    agent.reason() == null
                                            ? "its log on %s says why".formatted(agent.hostName())
                                            : agent.reason()));
            default -> Optional.empty();
        };
    }

    private static AttentionView about(
            AgentView agent, String kind, String severity, String title, String detail) {
        return new AttentionView(
                kind + ":" + agent.id(),
                kind,
                severity,
                agent.id(),
                title,
                detail,
                agent.lastActive());
    }
}
