package dev.skep.supervisor;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** The mailboxes people write from: rows of this host, created with an operator's first message. */
final class OperatorMailboxes {
    private final AgentStore agents;
    private final HostId self;
    private final String selfName;
    private final UlidSource ids;
    private final InstantSource clock;
    private final Function<Principal, String> names;

    OperatorMailboxes(
            AgentStore agents,
            Supervisor.Self self,
            UlidSource ids,
            InstantSource clock,
            Function<Principal, String> names) {
        this.agents = agents;
        this.self = self.id();
        this.selfName = self.name();
        this.ids = ids;
        this.clock = clock;
        this.names = names;
    }

    /** One at a time, so that two first messages do not create two mailboxes. */
    synchronized AgentId of(Actor actor) {
        String username = names.apply(actor.principal());
        Optional<Agent> existing =
                agents.onThisHost().stream()
                        .filter(
                                agent ->
                                        agent.kind() == Agent.Kind.OPERATOR
                                                && agent.username().equals(username))
                        .findFirst();
        return existing.map(Agent::id).orElseGet(() -> made(username));
    }

    private AgentId made(String username) {
        AgentId id = new AgentId(ids.next());
        agents.put(
                new Agent(
                        id,
                        self,
                        selfName,
                        username,
                        "Operator",
                        Agent.Kind.OPERATOR,
                        null,
                        null,
                        null,
                        false,
                        null,
                        clock.instant()));
        return id;
    }
}
