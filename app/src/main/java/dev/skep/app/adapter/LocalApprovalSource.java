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
                                        a.detail(),
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
                                        a.detail(),
                                        a.requestedAt(),
                                        a.line().approved(),
                                        a.line().by(),
                                        a.line().through(),
                                        a.always(),
                                        a.reason(),
                                        Objects.requireNonNullElse(a.decidedAt(), a.requestedAt())))
                .toList();
    }

    @Override
    public AgentControls.Outcome decide(Actor actor, ApprovalId id, Answer answer) {
        ApprovalChoice choice =
                switch (answer.choice()) {
                    case APPROVE -> ApprovalChoice.ONCE;
                    case ALWAYS -> ApprovalChoice.ALWAYS;
                    case DENY -> ApprovalChoice.DENY;
                };
        return switch (agentService.decide(Decider.here(actor), id, choice, answer.reason())) {
            case ActionResult.Done _ -> new AgentControls.Outcome.Done();
            case ActionResult.Refused(String why) -> new AgentControls.Outcome.Refused(why);
        };
    }
}
