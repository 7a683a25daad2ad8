package dev.skep.runner.api;

import dev.skep.kernel.id.ApprovalId;
import dev.skep.runner.AgentService;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.Decider;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Json;
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
            @Nullable Object detail,
            String decision,
            @Nullable String requestedAt,
            @Nullable String expiresAt,
            @Nullable String decidedBy,
            @Nullable String decidedThrough,
            @Nullable String decidedAt,
            boolean always,
            @Nullable String reason) {}

    @Override
    public List<Route> routes() {
        return List.of(
                AgentRoutes.read("/api/runner/approvals", this::list)
                        .described(
                                Operation.of("Commands that wait for a yes.")
                                        .query("all", String.class, "if set, decided ones too")
                                        .answers(ApprovalList.class)),
                AgentRoutes.act("/api/runner/approvals/{approval}/approve", this::approve)
                        .described(RunnerResponses.action("Lets one run.").takes(Consent.class)),
                AgentRoutes.act("/api/runner/approvals/{approval}/deny", this::deny)
                        .described(
                                RunnerResponses.action("Keeps one from running.")
                                        .takes(Denial.class)));
    }

    private record ApprovalList(List<ApprovalSummary> approvals) {}

    private record Consent(@Nullable Boolean always) {}

    private record Denial(@Nullable String reason) {}

    private Response list(Request request) {
        AgentNames names = new AgentNames(agentService.stores().agents(), request.principal());
        List<Approval> approvals =
                request.query("all").isPresent()
                        ? agentService.stores().approvals().recent(request.principal(), 100)
                        : agentService.stores().approvals().pending(request.principal());
        return Response.json(
                new ApprovalList(approvals.stream().map(each -> summary(each, names)).toList()));
    }

    private static ApprovalSummary summary(Approval approval, AgentNames names) {
        return new ApprovalSummary(
                approval.id(),
                names.of(approval.agent()),
                approval.command(),
                Json.objectOrNull(approval.detail()),
                approval.decision().name().toLowerCase(Locale.ROOT),
                RunnerResponses.time(approval.requestedAt()),
                RunnerResponses.time(approval.expiresAt()),
                approval.decidedBy(),
                approval.decidedThrough(),
                RunnerResponses.time(approval.decidedAt()),
                approval.always(),
                approval.reason());
    }

    private Response approve(Request request) {
        boolean always = Boolean.TRUE.equals(request.body(Consent.class).always());
        return decide(request, always ? ApprovalChoice.ALWAYS : ApprovalChoice.ONCE, null);
    }

    private Response deny(Request request) {
        String reason = request.body(Denial.class).reason();
        return decide(request, ApprovalChoice.DENY, reason);
    }

    private Response decide(Request request, ApprovalChoice choice, @Nullable String reason) {
        return RunnerResponses.of(
                agentService.decide(
                        Decider.here(request.actor()),
                        new ApprovalId(request.parameter("approval")),
                        choice,
                        reason));
    }
}
