package dev.skep.directory.routes;

import dev.skep.directory.operator.Operator;
import dev.skep.directory.operator.OperatorService;
import dev.skep.directory.operator.OperatorSessionStore;
import dev.skep.directory.operator.SignIn;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.http.SessionCookie;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Map;

/** Signing in and out, and who one is. The secret is in the cookie only. */
public final class SessionRoutes implements Route.Source {
    private final SignIn signIn;
    private final OperatorService operatorService;

    public SessionRoutes(SignIn signIn, OperatorService operatorService) {
        this.signIn = signIn;
        this.operatorService = operatorService;
    }

    @Override
    public List<Route> routes() {
        Access anyCaller = Access.operators(Role.VIEWER).orHosts().orAgents();
        Access people = Access.operators(Role.VIEWER);
        return List.of(
                new Route(
                        HttpMethod.POST,
                        "/api/session",
                        Access.proving(),
                        OrgScope.NONE,
                        this::withPassword),
                new Route(
                        HttpMethod.POST,
                        "/api/session/link",
                        Access.proving(),
                        OrgScope.NONE,
                        this::withLink),
                new Route(HttpMethod.GET, "/api/session", anyCaller, OrgScope.CALLER, this::who),
                new Route(
                        HttpMethod.DELETE, "/api/session", people, OrgScope.CALLER, this::signOut),
                new Route(
                        HttpMethod.PUT,
                        "/api/session/password",
                        people,
                        OrgScope.CALLER,
                        this::setPassword));
    }

    private Response withPassword(Request request) {
        JsonFields fields = request.fields().only("org", "username", "password");
        OrgId org = fields.optionalId("org", OrgId::new).orElse(DefaultOrg.DEFAULT);
        boolean isKnown = request.credentials().session().filter(signIn::isSession).isPresent();
        return in(
                signIn.withPassword(
                        org,
                        fields.text("username"),
                        fields.text("password"),
                        request.from(),
                        isKnown));
    }

    private Response withLink(Request request) {
        return in(signIn.withLink(request.fields().only("token").text("token"), request.from()));
    }

    private static Response in(SignIn.SignedIn signedIn) {
        return SessionCookie.set(
                Response.json(shown(signedIn.operator())),
                signedIn.sessionSecret(),
                OperatorSessionStore.SESSION);
    }

    private Response who(Request request) {
        Principal principal = request.principal();
        return Response.json(
                principal instanceof Principal.Operator(_, var id, _)
                        ? shown(operatorService.find(principal, id.value()))
                        : Map.of("org", principal.org().value(), "who", principal.label()));
    }

    private static Map<String, Object> shown(Operator operator) {
        return Map.of(
                "org",
                operator.org(),
                "who",
                "operator:" + operator.id(),
                "username",
                operator.username(),
                "role",
                operator.role(),
                "hasPassword",
                operator.hasPassword());
    }

    private Response signOut(Request request) {
        request.credentials().session().ifPresent(s -> signIn.signOut(request.actor(), s));
        return SessionCookie.clear(Response.done());
    }

    private Response setPassword(Request request) {
        JsonFields fields = request.fields().only("current", "next");
        String session =
                operatorService.setPassword(
                        request.actor(), fields.optionalText("current"), fields.text("next"));
        return SessionCookie.set(Response.done(), session, OperatorSessionStore.SESSION);
    }
}
