package dev.skep.dispatch.routes;

import dev.skep.dispatch.hold.HoldView;
import dev.skep.dispatch.hold.OrgHolds;
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
import dev.skep.wire.call.HubCall;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stopping all agents of an org, letting them go, and what their hosts ask about that. */
public final class HoldRoutes implements Route.Source {
    private static final String PATH = "/api/orgs/{org}/hold";
    private static final int LONGEST_WAIT = 60;
    private static final int LONGEST_REASON = 200;

    /** Within this all hosts that are there have answered. */
    private static final Duration TO_ANSWER = Duration.ofSeconds(2);

    private final OrgHolds holds;

    public HoldRoutes(OrgHolds holds) {
        this.holds = holds;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.GET,
                                PATH,
                                Access.operators(Role.VIEWER),
                                OrgScope.PATH,
                                request -> Response.json(holds.view(request.principal())))
                        .described(
                                Operation.of(
                                                "Whether all agents of the org are stopped, and how far its hosts are.")
                                        .answers(HoldView.class)),
                new Route(
                                HttpMethod.POST,
                                PATH,
                                Access.operators(Role.OPERATOR),
                                OrgScope.PATH,
                                this::stopAll)
                        .described(
                                Operation.of(
                                                "Has all agents of the org stand still, on hosts that are away when they are back; where they do already, that stays as it is.")
                                        .takes(StopAllOrder.class)
                                        .answers(HoldView.class)),
                new Route(
                                HttpMethod.DELETE,
                                PATH,
                                Access.operators(Role.OPERATOR),
                                OrgScope.PATH,
                                this::letGo)
                        .described(
                                Operation.of("Lets all agents go back to what each was.")
                                        .answers(HoldView.class)),
                new Route(
                                HttpMethod.POST,
                                HubCall.Hold.PATH,
                                Access.hosts(),
                                OrgScope.CALLER,
                                this::ofHost)
                        .described(
                                Operation.of(
                                                "What a host is to do with all its agents, as soon as that is not what it says it has done.")
                                        .query(
                                                HubCall.Hold.WAIT,
                                                int.class,
                                                "seconds to wait for that, 0 to 60")
                                        .query(
                                                HubCall.Hold.WORKER,
                                                String.class,
                                                "the process that asks; what an earlier one waits for is forgotten")
                                        .takes(WorkerBodies.HoldReport.class)
                                        .answers(WorkerBodies.HoldOrder.class)));
    }

    /**
     * What goes with it.
     *
     * @param reason why, for people
     */
    private record StopAllOrder(@Nullable String reason) {}

    private Response stopAll(Request request) {
        String reason = request.fields().only("reason").optionalText("reason").orElse("").strip();
        if (reason.length() > LONGEST_REASON) {
            throw DispatchResponses.bad(
                    "field 'reason' has at most %d characters".formatted(LONGEST_REASON));
        }
        holds.stopAll(request.actor(), reason);
        return settled(request);
    }

    private Response letGo(Request request) {
        if (!holds.letGo(request.actor())) {
            throw new SkepException(
                    ErrorCode.CONFLICT, "nothing stops all agents of this org; nothing to undo");
        }
        return settled(request);
    }

    private Response settled(Request request) {
        try {
            return Response.json(holds.settled(request.principal(), TO_ANSWER));
        } catch (InterruptedException e) {
            throw closing(e);
        }
    }

    private Response ofHost(Request request) {
        Duration wait =
                request.query(HubCall.Hold.WAIT).filter("0"::equals).isPresent()
                        ? Duration.ZERO
                        : Duration.ofSeconds(request.query(HubCall.Hold.WAIT, 0, LONGEST_WAIT));
        HubCall.Hold said =
                HubCall.Hold.read(
                        request.fields(), wait, request.query(HubCall.Hold.WORKER).orElse(""));
        try {
            return Response.written(holds.answer(DispatchResponses.host(request), said).json());
        } catch (InterruptedException e) {
            throw closing(e);
        }
    }

    private static SkepException closing(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new SkepException(ErrorCode.CLOSED, "the hub is closing; ask again", e);
    }
}
