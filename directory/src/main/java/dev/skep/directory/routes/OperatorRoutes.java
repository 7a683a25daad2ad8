package dev.skep.directory.routes;

import dev.skep.directory.operator.Operator;
import dev.skep.directory.operator.OperatorService;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Operators as admins see them. A link's secret is shown once, to the admin who created it. */
public final class OperatorRoutes implements Route.Source {
    private static final String ALL = "/api/orgs/{org}/operators";
    private static final String ONE = ALL + "/{operator}";

    private final OperatorService operatorService;

    public OperatorRoutes(OperatorService operatorService) {
        this.operatorService = operatorService;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                admin(HttpMethod.GET, ALL, this::list),
                admin(HttpMethod.POST, ALL, this::add),
                admin(HttpMethod.GET, ONE, this::show),
                admin(HttpMethod.PATCH, ONE, this::change),
                admin(HttpMethod.POST, ONE + "/reset", this::reset),
                admin(HttpMethod.POST, ONE + "/sign-in-link", this::signInLink),
                new Route(
                        HttpMethod.PUT,
                        ONE + "/password",
                        Access.local(),
                        OrgScope.PATH,
                        this::setPassword),
                admin(HttpMethod.DELETE, ONE + "/second-factor", this::resetSecondFactor),
                admin(HttpMethod.GET, ONE + "/sign-ins", this::signIns),
                admin(HttpMethod.DELETE, ONE + "/sign-ins/{signin}", this::endSignIn));
    }

    private static Route admin(HttpMethod method, String path, Route.Handler handler) {
        return new Route(method, path, Access.operators(Role.ADMIN), OrgScope.PATH, handler);
    }

    private Response list(Request request) {
        return Response.json(Map.of("operators", operatorService.all(request.principal())));
    }

    private Response show(Request request) {
        return Response.json(
                operatorService.find(request.principal(), request.parameter("operator")));
    }

    private Response add(Request request) {
        JsonFields fields = request.fields().only("username", "role");
        return added(
                201, operatorService.add(request.actor(), fields.text("username"), role(fields)));
    }

    private Response change(Request request) {
        JsonFields fields = request.fields().only("role", "disabled");
        String id = request.parameter("operator");
        Operator operator = operatorService.find(request.principal(), id);
        if (fields.optionalText("role").isPresent()) {
            operator = operatorService.setRole(request.actor(), id, role(fields));
        }
        if (fields.has("disabled")) {
            operator =
                    fields.flag("disabled")
                            ? operatorService.disable(request.actor(), id)
                            : operatorService.enable(request.actor(), id);
        }
        return Response.json(operator);
    }

    private Response reset(Request request) {
        return added(200, operatorService.reset(request.actor(), request.parameter("operator")));
    }

    private Response signInLink(Request request) {
        return added(
                200, operatorService.signInLink(request.actor(), request.parameter("operator")));
    }

    private Response setPassword(Request request) {
        String next = request.fields().only("next").text("next");
        return Response.json(
                operatorService.setPassword(request.actor(), request.parameter("operator"), next));
    }

    private Response resetSecondFactor(Request request) {
        return Response.json(
                operatorService.resetSecondFactor(request.actor(), request.parameter("operator")));
    }

    private Response signIns(Request request) {
        return Response.json(
                Map.of(
                        "signIns",
                        operatorService.signIns(
                                request.principal(), request.parameter("operator"))));
    }

    private Response endSignIn(Request request) {
        operatorService.endSignIn(
                request.actor(), request.parameter("operator"), request.parameter("signin"));
        return Response.done();
    }

    private static Response added(int status, OperatorService.Added added) {
        return Response.json(
                status,
                Map.of(
                        "operator",
                        added.operator(),
                        "signInPath",
                        SignInLink.path(added.linkSecret())));
    }

    private static Role role(JsonFields fields) {
        String text = fields.text("role").toUpperCase(Locale.ROOT);
        return Arrays.stream(Role.values())
                .filter(role -> role.name().equals(text))
                .findFirst()
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.BAD_REQUEST,
                                        "there is no such role; choose viewer, operator or admin"));
    }
}
