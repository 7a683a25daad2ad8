package dev.skep.supervisor.feature;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.AgentStore;
import dev.skep.agents.Notification;
import dev.skep.agents.NotificationStore;
import dev.skep.agents.session.LogRow;
import dev.skep.agents.view.DecidedCommandStore;
import dev.skep.agents.view.LogPageStore;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.AgentControls.Outcome;
import dev.skep.supervisor.source.ApprovalSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Commands that wait on other hosts. An agent that waits for approval shows that in its
 * notification, together with the log line of the command, whose id is the approval's; a decision
 * is a job for its host, which knows whether it still waits.
 */
public final class FleetApprovalSource implements ApprovalSource {
    private final Rows rows;
    private final Predicate<HostId> isThere;
    private final Function<Agent, Optional<Duration>> patience;
    private final SteeringJobs jobs;

    /** What the hosts have sent. */
    public record Rows(
            AgentStore agents,
            NotificationStore notifications,
            LogPageStore log,
            DecidedCommandStore decided) {}

    /**
     * @param patience how long a command of an agent waits, from its file if that can be read
     */
    public FleetApprovalSource(
            Rows rows,
            Predicate<HostId> isThere,
            Function<Agent, Optional<Duration>> patience,
            SteeringJobs jobs) {
        this.rows = rows;
        this.isThere = isThere;
        this.patience = patience;
        this.jobs = jobs;
    }

    private record Found(Agent agent, LogRow command) {}

    @Override
    public List<Waiting> waiting(Principal principal) {
        return rows.notifications().all(principal).stream()
                .filter(notification -> notification.status() == AgentStatus.AWAITING_APPROVAL)
                .flatMap(notification -> found(principal, notification).stream())
                .map(
                        found ->
                                new Waiting(
                                        found.command().id(),
                                        found.agent().id().value(),
                                        found.command().message(),
                                        found.command().detail(),
                                        found.command().at(),
                                        endOf(found)))
                .toList();
    }

    @Override
    public List<Decided> decided(Principal principal, int limit) {
        return rows.decided().newest(principal, limit).stream()
                .map(
                        each ->
                                new Decided(
                                        each.id(),
                                        each.agent(),
                                        each.command(),
                                        each.detail(),
                                        each.requestedAt(),
                                        each.decision().approved(),
                                        each.decision().by(),
                                        each.decision().through(),
                                        each.decision().always(),
                                        each.decision().reason(),
                                        each.decidedAt()))
                .toList();
    }

    private @Nullable Instant endOf(Found found) {
        return patience.apply(found.agent()).map(found.command().at()::plus).orElse(null);
    }

    private Optional<Found> found(Principal principal, Notification notification) {
        Optional<Agent> agent =
                rows.agents()
                        .byId(principal, notification.agent())
                        .filter(known -> isThere.test(known.host()));
        String id = notification.latestLogId();
        if (agent.isEmpty() || id == null) {
            return Optional.empty();
        }
        var ofAgent =
                new LogPageStore.Filter(
                        Optional.empty(),
                        Optional.of(notification.agent().value()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        // Nothing stands between an id and the same id with something after it.
        return rows.log().before(principal, ofAgent, Optional.of(id + "0"), 1).stream()
                .filter(line -> line.id().equals(id))
                .findFirst()
                .map(line -> new Found(agent.get(), line));
    }

    @Override
    public Outcome decide(Actor actor, ApprovalId id, Answer answer) {
        Optional<Found> waiting =
                rows.notifications().all(actor.principal()).stream()
                        .filter(notification -> id.value().equals(notification.latestLogId()))
                        .filter(
                                notification ->
                                        notification.status() == AgentStatus.AWAITING_APPROVAL)
                        .flatMap(notification -> found(actor.principal(), notification).stream())
                        .findFirst();
        if (waiting.isEmpty()) {
            return new Outcome.Refused("this command no longer waits, or its host does not answer");
        }
        return jobs.decide(actor, waiting.get().agent(), id, answer);
    }
}
