package dev.skep.directory.routes;

import dev.skep.directory.operator.Operator;
import dev.skep.directory.operator.OperatorService;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.describe.Operation;
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
import org.jspecify.annotations.Nullable;

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
                admin(HttpMethod.GET, ALL, this::list)
                        .described(Operation.of("People of the org.").answers(OperatorList.class)),
                admin(HttpMethod.POST, ALL, this::add)
                        .described(
                                Operation.of("Adds somebody; the sign-in link is shown once.")
                                        .takes(NewOperator.class)
                                        .creates(OperatorWithLink.class)),
                admin(HttpMethod.GET, ONE, this::show)
                        .described(Operation.of("One of them.").answers(Operator.class)),
                admin(HttpMethod.PATCH, ONE, this::change)
                        .described(
                                Operation.of("Changes role, disables or enables.")
                                        .takes(OperatorChange.class)
                                        .answers(Operator.class)),
                admin(HttpMethod.POST, ONE + "/reset", this::reset)
                        .described(
                                Operation.of("Ends password and sessions and gives a sign-in link.")
                                        .answers(OperatorWithLink.class)),
                admin(HttpMethod.POST, ONE + "/sign-in-link", this::signInLink)
                        .described(
                                Operation.of("A sign-in link, good once within the hour.")
                                        .answers(OperatorWithLink.class)));
    }

    private record OperatorList(List<Operator> operators) {}

    /**
     * Somebody new.
     *
     * @param role viewer, operator or admin
     */
    private record NewOperator(String username, String role) {}

    private record OperatorChange(@Nullable String role, @Nullable Boolean disabled) {}

    /**
     * Somebody who is to sign in.
     *
     * @param signInPath below the hub's address; shown here and never again
     */
    private record OperatorWithLink(Operator operator, String signInPath) {}

    private static Route admin(HttpMethod method, String path, Route.Handler handler) {
        return new Route(method, path, Access.operators(Role.ADMIN), OrgScope.PATH, handler);
    }

    private Response list(Request request) {
        return Response.json(new OperatorList(operatorService.all(request.principal())));
    }

    private Response show(Request request) {
        return Response.json(
                operatorService.find(request.principal(), request.parameter("operator")));
    }

    private Response add(Request request) {
        JsonFields fields = request.fields().only(NewOperator.class);
        return added(
                201, operatorService.add(request.actor(), fields.text("username"), role(fields)));
    }

    private Response change(Request request) {
        JsonFields fields = request.fields().only(OperatorChange.class);
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

    private static Response added(int status, OperatorService.Added added) {
        return Response.json(
                status,
                new OperatorWithLink(added.operator(), SignInLink.path(added.linkSecret())));
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
