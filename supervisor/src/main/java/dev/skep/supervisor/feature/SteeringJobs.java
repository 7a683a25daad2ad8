package dev.skep.supervisor.feature;

import dev.skep.agents.Agent;
import dev.skep.directory.operator.CallerName;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.dispatch.job.ApprovalDecisionJob;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.view.JobDetails;
import dev.skep.dispatch.view.JobQueries;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.job.JobKind;
import dev.skep.store.Database;
import dev.skep.supervisor.source.AgentControls.Outcome;
import dev.skep.supervisor.source.ApprovalSource.Answer;
import dev.skep.transport.route.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What people ask of agents, as jobs that the agents' hosts execute. */
public final class SteeringJobs {
    /** Before other work of the host: a person waits for it. */
    private static final int PRIORITY = 100;

    private final JobQueue queue;
    private final Database database;
    private final HostConsents consents;

    public SteeringJobs(JobQueue queue, Database database, HostConsents consents) {
        this.queue = queue;
        this.database = database;
        this.consents = consents;
    }

    Outcome ask(Actor actor, Agent agent, JobKind kind, Map<String, String> payload) {
        return ask(actor, agent, kind, Json.text(payload));
    }

    /** A yes or no to a command of the agent that waits. */
    Outcome decide(Actor actor, Agent agent, ApprovalId approval, Answer answer) {
        JobKind kind =
                switch (answer.choice()) {
                    case APPROVE -> JobKind.AGENT_APPROVE;
                    case ALWAYS -> JobKind.AGENT_APPROVE_ALWAYS;
                    case DENY -> JobKind.AGENT_DENY;
                };
        String by = database.read(snapshot -> CallerName.of(snapshot, actor.principal()));
        return ask(
                actor,
                agent,
                kind,
                new ApprovalDecisionJob(kind, agent.username(), approval, by, answer.reason())
                        .payload());
    }

    /** The same of many at once; what one is refused for keeps no other from it. */
    Map<AgentId, Outcome> askAll(
            Actor actor,
            List<Agent> agents,
            JobKind kind,
            Function<Agent, Map<String, String>> payload) {
        Map<AgentId, Outcome> outcomes = new HashMap<>();
        List<Agent> allowed = new ArrayList<>();
        for (Agent agent : agents) {
            try {
                consents.requireForJob(actor.principal().org(), agent.host(), kind.type());
                allowed.add(agent);
            } catch (SkepException refused) {
                outcomes.put(agent.id(), new Outcome.Refused(String.valueOf(refused.getMessage())));
            }
        }
        if (!allowed.isEmpty()) {
            List<CreatedJob> created =
                    queue.create(
                            actor,
                            allowed.stream()
                                    .map(a -> job(a, kind, Json.text(payload.apply(a))))
                                    .toList());
            for (int i = 0; i < allowed.size(); i++) {
                outcomes.put(allowed.get(i).id(), new Outcome.Queued(created.get(i).job().value()));
            }
        }
        return outcomes;
    }

    /** What became of a job; empty while its host has not done it. */
    Optional<Outcome> ended(Principal who, String job) {
        return database.read(snapshot -> JobQueries.find(snapshot, who, job))
                .filter(found -> RunStatus.of(found.status()).isOver())
                .map(
                        found ->
                                RunStatus.of(found.status()) == RunStatus.SUCCEEDED
                                        ? new Outcome.Done()
                                        : new Outcome.Refused(why(found)));
    }

    private static String why(JobDetails job) {
        return Optional.ofNullable(job.run().result())
                .map(Json::text)
                .map(Json::fields)
                .flatMap(result -> result.optionalText("error"))
                .orElse("its job ended as %s".formatted(job.status().replace('_', ' ')));
    }

    private static NewJob job(Agent agent, JobKind kind, String payload) {
        return NewJob.plain(agent.host(), kind.type(), payload).withPriority(PRIORITY);
    }

    private Outcome ask(Actor actor, Agent agent, JobKind kind, String payload) {
        consents.requireForJob(actor.principal().org(), agent.host(), kind.type());
        NewJob job = job(agent, kind, payload);
        return new Outcome.Queued(queue.create(actor, List.of(job)).getFirst().job().value());
    }
}
