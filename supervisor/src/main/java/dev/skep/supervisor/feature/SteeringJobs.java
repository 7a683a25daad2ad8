package dev.skep.supervisor.feature;

import dev.skep.agents.Agent;
import dev.skep.directory.operator.CallerName;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.dispatch.job.ApprovalDecisionJob;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.job.JobKind;
import dev.skep.store.Database;
import dev.skep.supervisor.source.AgentControls.Outcome;
import dev.skep.supervisor.source.ApprovalSource.Answer;
import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Map;

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

    private Outcome ask(Actor actor, Agent agent, JobKind kind, String payload) {
        consents.requireForJob(actor.principal().org(), agent.host(), kind.type());
        NewJob job = NewJob.plain(agent.host(), kind.type(), payload).withPriority(PRIORITY);
        return new Outcome.Queued(queue.create(actor, List.of(job)).getFirst().job().value());
    }
}
