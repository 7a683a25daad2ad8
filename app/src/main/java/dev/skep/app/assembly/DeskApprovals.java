package dev.skep.app.assembly;

import dev.skep.agents.Agent;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.Desk;
import dev.skep.runner.Outcome;
import dev.skep.supervisor.source.Approvals;
import java.util.List;

/** Commands of the agents in this process that wait for a person's yes. */
final class DeskApprovals implements Approvals {
    private final Desk desk;

    DeskApprovals(Desk desk) {
        this.desk = desk;
    }

    @Override
    public List<Waiting> waiting(Principal principal) {
        return desk.stores().approvals().pending(principal).stream()
                .map(
                        a ->
                                new Waiting(
                                        a.id(),
                                        desk.stores()
                                                .agents()
                                                .byId(principal, a.agent())
                                                .map(Agent::username)
                                                .orElse(a.agent().value()),
                                        a.command(),
                                        a.requestedAt(),
                                        a.expiresAt()))
                .toList();
    }

    @Override
    public boolean decide(Actor actor, String id, boolean approve) {
        return desk.decide(actor.principal(), id, approve) instanceof Outcome.Done;
    }
}
