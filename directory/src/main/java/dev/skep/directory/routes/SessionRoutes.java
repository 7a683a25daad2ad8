package dev.skep.directory.routes;

import dev.skep.directory.operator.Operator;
import dev.skep.directory.operator.OperatorService;
import dev.skep.directory.operator.OperatorSessionStore;
import dev.skep.directory.operator.SignIn;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Sparse;
import dev.skep.transport.http.SessionCookie;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
                                this::withPassword)
                        .described(
                                Operation.of(
                                                "Signs in by name and password; the session is a cookie.")
                                        .takes(PasswordSignIn.class)
                                        .answers(CallerView.class)),
                new Route(
                                HttpMethod.POST,
                                "/api/session/link",
                                Access.proving(),
                                OrgScope.NONE,
                                this::withLink)
                        .described(
                                Operation.of("Signs in by a one-use link.")
                                        .takes(LinkSignIn.class)
                                        .answers(CallerView.class)),
                new Route(HttpMethod.GET, "/api/session", anyCaller, OrgScope.CALLER, this::who)
                        .described(Operation.of("Who asks.").answers(CallerView.class)),
                new Route(HttpMethod.DELETE, "/api/session", people, OrgScope.CALLER, this::signOut)
                        .described(Operation.of("Signs out.").answersNothing()),
                new Route(
                                HttpMethod.PUT,
                                "/api/session/password",
                                people,
                                OrgScope.CALLER,
                                this::setPassword)
                        .described(
                                Operation.of(
                                                "Sets a password, with the old one where there is one; ends other sessions.")
                                        .takes(NewPassword.class)
                                        .answersNothing()));
    }

    private record PasswordSignIn(@Nullable String org, String username, String password) {}

    private record LinkSignIn(String token) {}

    private record NewPassword(@Nullable String current, String next) {}

    /**
     * Who asks.
     *
     * @param who the kind of caller and its id, such as {@code operator:01…}
     * @param username of a person, as are the role and whether there is a password
     */
    private record CallerView(
            String org,
            String who,
            @Nullable String username,
            @Nullable Role role,
            @Nullable Boolean hasPassword)
            implements Sparse {}

    private Response withPassword(Request request) {
        JsonFields fields = request.fields().only(PasswordSignIn.class);
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
        return in(signIn.withLink(request.body(LinkSignIn.class).token(), request.from()));
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
                        : new CallerView(
                                principal.org().value(), principal.label(), null, null, null));
    }

    private static CallerView shown(Operator operator) {
        return new CallerView(
                operator.org(),
                "operator:" + operator.id(),
                operator.username(),
                operator.role(),
                operator.hasPassword());
    }

    private Response signOut(Request request) {
        request.credentials().session().ifPresent(s -> signIn.signOut(request.actor(), s));
        return SessionCookie.clear(Response.done());
    }

    private Response setPassword(Request request) {
        NewPassword asked = request.body(NewPassword.class);
        String session =
                operatorService.setPassword(
                        request.actor(), Optional.ofNullable(asked.current()), asked.next());
        return SessionCookie.set(Response.done(), session, OperatorSessionStore.SESSION);
    }
}
