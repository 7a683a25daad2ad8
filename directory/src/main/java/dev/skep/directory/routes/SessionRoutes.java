package dev.skep.directory.routes;

import dev.skep.directory.operator.Operator;
import dev.skep.directory.operator.OperatorService;
import dev.skep.directory.operator.OperatorSessionStore;
import dev.skep.directory.operator.PersonService;
import dev.skep.directory.operator.SignIn;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
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
import java.util.Optional;
import java.util.TreeMap;

/**
 * Signing in and out, and who one is. The secret is in the cookie only, unless a command asks for
 * it with {@code bearer}, which has no cookies.
 */
public final class SessionRoutes implements Route.Source {
    private static final int LONGEST_CLIENT = 100;

    private final SignIn signIn;
    private final OperatorService operatorService;
    private final PersonService personService;

    public SessionRoutes(
            SignIn signIn, OperatorService operatorService, PersonService personService) {
        this.signIn = signIn;
        this.operatorService = operatorService;
        this.personService = personService;
    }

    @Override
    public List<Route> routes() {
        Access anyCaller = Access.operators(Role.VIEWER).orHosts().orAgents();
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
                people(HttpMethod.DELETE, "/api/session", this::signOut),
                people(HttpMethod.PUT, "/api/session/org", this::turnTo));
    }

    /** A route for somebody about themselves. */
    static Route people(HttpMethod method, String path, Route.Handler handler) {
        return new Route(method, path, Access.operators(Role.VIEWER), OrgScope.CALLER, handler);
    }

    private Response withPassword(Request request) {
        JsonFields fields =
                request.fields().only("org", "username", "password", "code", "client", "bearer");
        OrgId org = fields.optionalId("org", OrgId::new).orElse(DefaultOrg.DEFAULT);
        return in(
                fields,
                signIn.withPassword(
                        org,
                        fields.text("username"),
                        fields.text("password"),
                        fields.optionalText("code"),
                        caller(request, fields)));
    }

    private Response withLink(Request request) {
        JsonFields fields = request.fields().only("token", "code", "client", "bearer");
        return in(
                fields,
                signIn.withLink(
                        fields.text("token"),
                        fields.optionalText("code"),
                        caller(request, fields)));
    }

    /** Where the caller is; what they call themselves is shortened to what a list can show. */
    SignIn.Caller caller(Request request, JsonFields fields) {
        boolean isKnown =
                OperatorSessionStore.secretIn(request.credentials())
                        .filter(signIn::isSession)
                        .isPresent();
        Optional<String> client =
                fields.optionalText("client")
                        .map(text -> text.replaceAll("\\p{Cntrl}", " ").strip())
                        .map(text -> text.substring(0, Math.min(text.length(), LONGEST_CLIENT)))
                        .filter(text -> !text.isEmpty());
        return new SignIn.Caller(request.from(), client, isKnown);
    }

    static Response in(JsonFields fields, SignIn.SignedIn signedIn) {
        Map<String, Object> shown = shown(signedIn.operator());
        if (fields.flag("bearer")) {
            shown.put("session", signedIn.sessionSecret());
            return Response.json(shown);
        }
        return SessionCookie.set(
                Response.json(shown), signedIn.sessionSecret(), OperatorSessionStore.SESSION);
    }

    private Response who(Request request) {
        Principal principal = request.principal();
        if (!(principal instanceof Principal.Operator(_, var id, _))) {
            return Response.json(Map.of("org", principal.org().value(), "who", principal.label()));
        }
        Map<String, Object> shown = shown(operatorService.find(principal, id.value()));
        Optional<String> session = OperatorSessionStore.secretIn(request.credentials());
        session.ifPresent(
                secret -> {
                    PersonService.Ways ways = personService.ways(secret);
                    shown.put("orgs", personService.orgs(session));
                    shown.put("oneOrg", ways.oneOrg());
                    shown.put("recoveryCodesLeft", ways.recoveryCodesLeft());
                    shown.put("identities", ways.identities());
                });
        return Response.json(shown);
    }

    static Map<String, Object> shown(Operator operator) {
        return new TreeMap<>(
                Map.of(
                        "org",
                        operator.org(),
                        "who",
                        "operator:" + operator.id(),
                        "username",
                        operator.username(),
                        "role",
                        operator.role(),
                        "hasPassword",
                        operator.hasPassword(),
                        "hasSecondFactor",
                        operator.hasSecondFactor()));
    }

    private Response signOut(Request request) {
        OperatorSessionStore.secretIn(request.credentials())
                .ifPresent(s -> signIn.signOut(request.actor(), s));
        return SessionCookie.clear(Response.done());
    }

    private Response turnTo(Request request) {
        OrgId org = request.fields().only("org").id("org", OrgId::new);
        return Response.json(shown(personService.turnTo(secret(request), org)));
    }

    /** The session of a request; a key has none, and changes nothing about its person. */
    static String secret(Request request) {
        return OperatorSessionStore.secretIn(request.credentials())
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.FORBIDDEN,
                                        "a key cannot do this; sign in with a password or a link"));
    }
}
