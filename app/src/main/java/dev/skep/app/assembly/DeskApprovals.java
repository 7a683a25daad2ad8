package dev.skep.app.assembly;

import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.Desk;
import dev.skep.runner.Outcome;
import dev.skep.supervisor.source.AgentControls;
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
                                        a.agent().value(),
                                        a.command(),
                                        a.requestedAt(),
                                        a.expiresAt()))
                .toList();
    }

    @Override
    public AgentControls.Outcome decide(Actor actor, String id, boolean approve) {
        return switch (desk.decide(actor.principal(), id, approve)) {
            case Outcome.Done _ -> new AgentControls.Outcome.Done();
            case Outcome.Refused(String why) -> new AgentControls.Outcome.Refused(why);
        };
    }
}
