package dev.skep.dispatch.routes;

import dev.skep.dispatch.budget.BudgetLender;
import dev.skep.dispatch.budget.BudgetReport;
import dev.skep.dispatch.budget.BudgetScope;
import dev.skep.dispatch.budget.SharedBudget;
import dev.skep.dispatch.budget.SharedBudgets;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.wire.call.BudgetExchange;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Budgets for people, and what hosts tell of the leases that they hold. */
public final class BudgetRoutes implements Route.Source {
    private static final String PATH = "/api/orgs/{org}/budgets";
    private static final String ONE = PATH + "/{budget}";

    private final SharedBudgets budgets;
    private final BudgetLender lender;
    private final String hub;
    private final InstantSource clock;

    /**
     * Routes of a hub.
     *
     * @param hub its id: the owner of every budget that is listed here
     */
    public BudgetRoutes(
            SharedBudgets budgets, BudgetLender lender, String hub, InstantSource clock) {
        this.budgets = budgets;
        this.lender = lender;
        this.hub = hub;
        this.clock = clock;
    }

    /** A budget as people see it; amounts in micro-dollars. */
    public record BudgetView(
            String id,
            String name,
            String scope,
            String subject,
            long amountMicros,
            long windowSeconds,
            long spentMicros,
            long leasedMicros,
            long freeMicros,
            long microsPerHour,
            @Nullable Instant reachedAt,
            boolean exhausted,
            String hubId,
            List<ShareView> hosts,
            List<String> unheardHostIds,
            Instant createdAt,
            Instant updatedAt) {}

    /** A host's part in it. */
    public record ShareView(
            String hostId, long spentMicros, long leasedMicros, long microsPerHour) {}

    /** All of an org; with a reason where nothing is lent at the moment. */
    public record BudgetsView(List<BudgetView> budgets, @Nullable String closed, String hubId) {}

    /** What a new budget needs. */
    private record NewBudget(
            String name,
            String scope,
            @Nullable String subject,
            long amountMicros,
            long windowSeconds) {}

    private record BudgetChange(
            @Nullable String name, @Nullable Long amountMicros, @Nullable Long windowSeconds) {}

    @Override
    public List<Route> routes() {
        return List.of(
                route(HttpMethod.GET, PATH, Role.VIEWER, this::list)
                        .described(
                                Operation.of(
                                                "The budgets of this hub: what is spent, held by hosts and free.")
                                        .answers(BudgetsView.class)),
                route(HttpMethod.POST, PATH, Role.ADMIN, this::add)
                        .described(
                                Operation.of(
                                                "Adds a budget for the org, a label, a host or an agent.")
                                        .takes(NewBudget.class)
                                        .creates(BudgetView.class)),
                route(HttpMethod.POST, PATH + "/open", Role.ADMIN, this::open)
                        .described(
                                Operation.of(
                                                "Lends again after a restore without waiting for hosts that have not told what they hold.")
                                        .answers(BudgetsView.class)),
                route(HttpMethod.GET, ONE, Role.VIEWER, this::show)
                        .described(
                                Operation.of("A budget, by its id or name.")
                                        .answers(BudgetView.class)),
                route(HttpMethod.PUT, ONE, Role.ADMIN, this::change)
                        .described(
                                Operation.of("Changes the amount or the name of a budget.")
                                        .takes(BudgetChange.class)
                                        .answers(BudgetView.class)),
                route(HttpMethod.DELETE, ONE, Role.ADMIN, this::remove)
                        .described(
                                Operation.of("Removes a budget: it limits nobody any more.")
                                        .answersNothing()),
                new Route(
                                HttpMethod.POST,
                                BudgetExchange.PATH,
                                Access.hosts(),
                                OrgScope.CALLER,
                                this::exchange)
                        .described(
                                Operation.of(
                                                "What a host holds and wants of the budgets that apply to it.")
                                        .takes(BudgetBodies.LeasesTold.class)
                                        .answers(BudgetBodies.LeasesAnswered.class)));
    }

    private static Route route(HttpMethod method, String path, Role role, Route.Handler handler) {
        return new Route(method, path, Access.operators(role), OrgScope.PATH, handler);
    }

    private Response list(Request request) {
        BudgetReport report = lender.report(request.principal());
        return Response.json(
                new BudgetsView(
                        report.budgets().stream().map(this::view).toList(),
                        report.closed().orElse(null),
                        hub));
    }

    private Response show(Request request) {
        return Response.json(view(request, request.parameter("budget")));
    }

    private BudgetView view(Request request, String named) {
        SharedBudget budget = budgets.require(request.org(), named);
        return lender.report(request.principal()).budgets().stream()
                .filter(each -> each.budget().id().equals(budget.id()))
                .findFirst()
                .map(this::view)
                .orElseThrow(() -> DispatchResponses.no("budget", named));
    }

    private Response add(Request request) {
        NewBudget wanted = request.body(NewBudget.class);
        BudgetScope scope =
                BudgetScope.of(wanted.scope())
                        .orElseThrow(
                                () ->
                                        DispatchResponses.bad(
                                                "field 'scope' must be agent, host, label or org"));
        SharedBudget budget =
                budgets.add(
                        request.actor(),
                        request.org(),
                        new SharedBudgets.Draft(
                                wanted.name(),
                                scope,
                                Objects.requireNonNullElse(wanted.subject(), ""),
                                wanted.amountMicros(),
                                seconds(wanted.windowSeconds())));
        return Response.created(view(request, budget.id()));
    }

    private static Duration seconds(long seconds) {
        if (seconds < 0 || seconds > SharedBudgets.LONGEST.toSeconds()) {
            throw DispatchResponses.bad(SharedBudgets.WINDOWS);
        }
        return Duration.ofSeconds(seconds);
    }

    private Response change(Request request) {
        SharedBudget before = budgets.require(request.org(), request.parameter("budget"));
        BudgetChange wanted = request.body(BudgetChange.class);
        Long window = wanted.windowSeconds();
        if (window != null && window != before.window().toSeconds()) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "the window of budget %s cannot be changed, since older spending is no longer known; make another budget and remove this one"
                            .formatted(before.name()));
        }
        SharedBudget changed =
                budgets.change(
                        request.actor(),
                        before,
                        Objects.requireNonNullElse(wanted.name(), before.name()),
                        Objects.requireNonNullElse(wanted.amountMicros(), before.amount()));
        return Response.json(view(request, changed.id()));
    }

    private Response remove(Request request) {
        budgets.remove(
                request.actor(), budgets.require(request.org(), request.parameter("budget")));
        return Response.done();
    }

    /** The word of an operator, who knows that no host holds what this hub has forgotten. */
    private Response open(Request request) {
        budgets.open(request.actor(), request.org());
        return list(request);
    }

    private Response exchange(Request request) {
        BudgetExchange told = BudgetExchange.read(request.fields());
        return Response.written(lender.exchange(DispatchResponses.host(request), told).json());
    }

    private BudgetView view(BudgetReport.Standing standing) {
        SharedBudget budget = standing.budget();
        return new BudgetView(
                budget.id(),
                budget.name(),
                budget.scope().stored(),
                budget.subject(),
                budget.amount(),
                budget.window().toSeconds(),
                standing.spent(),
                standing.lent(),
                standing.free(),
                standing.perHour(),
                standing.reached().map(clock.instant()::plus).orElse(null),
                standing.exhausted(),
                hub,
                standing.hosts().stream()
                        .map(
                                each ->
                                        new ShareView(
                                                each.host(),
                                                each.spent(),
                                                each.lent(),
                                                each.perHour()))
                        .toList(),
                standing.unheard(),
                budget.createdAt(),
                budget.updatedAt());
    }
}
