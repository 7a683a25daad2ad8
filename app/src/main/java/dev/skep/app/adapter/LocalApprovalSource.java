package dev.skep.app.adapter;

import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.ActionResult;
import dev.skep.runner.AgentService;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.Decider;
import dev.skep.supervisor.source.AgentControls;
import dev.skep.supervisor.source.ApprovalSource;
import java.util.List;
import java.util.Objects;

/** Commands of the agents in this process that wait for a person's yes. */
public final class LocalApprovalSource implements ApprovalSource {
    private final AgentService agentService;

    public LocalApprovalSource(AgentService agentService) {
        this.agentService = agentService;
    }

    @Override
    public List<Waiting> waiting(Principal principal) {
        return agentService.stores().approvals().pending(principal).stream()
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
    public List<Decided> decided(Principal principal, int limit) {
        return agentService.stores().approvals().decided(principal, limit).stream()
                .map(
                        a ->
                                new Decided(
                                        a.id(),
                                        a.agent().value(),
                                        a.command(),
                                        a.requestedAt(),
                                        a.line().approved(),
                                        a.line().by(),
                                        a.line().through(),
                                        Objects.requireNonNullElse(a.decidedAt(), a.requestedAt())))
                .toList();
    }

    @Override
    public AgentControls.Outcome decide(Actor actor, ApprovalId id, boolean approve) {
        return switch (agentService.decide(
                Decider.here(actor),
                id,
                approve ? ApprovalChoice.ONCE : ApprovalChoice.DENY,
                null)) {
            case ActionResult.Done _ -> new AgentControls.Outcome.Done();
            case ActionResult.Refused(String why) -> new AgentControls.Outcome.Refused(why);
        };
    }
}
