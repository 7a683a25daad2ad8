package dev.skep.runner.api;

import dev.skep.kernel.id.ApprovalId;
import dev.skep.runner.AgentService;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.Decider;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Commands that wait for a person. */
public final class ApprovalRoutes implements Route.Source {
    private final AgentService agentService;

    public ApprovalRoutes(AgentService agentService) {
        this.agentService = agentService;
    }

    /** An approval as people see it. */
    public record ApprovalSummary(
            String id,
            String agent,
            String command,
            String decision,
            @Nullable String requestedAt,
            @Nullable String expiresAt,
            @Nullable String decidedBy,
            @Nullable String decidedThrough,
            @Nullable String decidedAt) {}

    @Override
    public List<Route> routes() {
        return List.of(
                AgentRoutes.read("/api/runner/approvals", this::list),
                AgentRoutes.act(
                        "/api/runner/approvals/{approval}/approve",
                        r -> decide(r, ApprovalChoice.ONCE)),
                AgentRoutes.act(
                        "/api/runner/approvals/{approval}/deny",
                        r -> decide(r, ApprovalChoice.DENY)));
    }

    private Response list(Request request) {
        AgentNames names = new AgentNames(agentService.stores().agents(), request.principal());
        List<Approval> approvals =
                request.query("all").isPresent()
                        ? agentService.stores().approvals().recent(request.principal(), 100)
                        : agentService.stores().approvals().pending(request.principal());
        return RunnerResponses.list(
                "approvals",
                approvals.stream()
                        .map(
                                a ->
                                        new ApprovalSummary(
                                                a.id(),
                                                names.of(a.agent()),
                                                a.command(),
                                                a.decision().name().toLowerCase(Locale.ROOT),
                                                RunnerResponses.time(a.requestedAt()),
                                                RunnerResponses.time(a.expiresAt()),
                                                a.decidedBy(),
                                                a.decidedThrough(),
                                                RunnerResponses.time(a.decidedAt())))
                        .toList());
    }

    private Response decide(Request request, ApprovalChoice choice) {
        return RunnerResponses.of(
                agentService.decide(
                        Decider.here(request.actor()),
                        new ApprovalId(request.parameter("approval")),
                        choice,
                        null));
    }
}
