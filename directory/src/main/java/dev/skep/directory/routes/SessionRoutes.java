package dev.skep.directory.routes;

import dev.skep.directory.operator.IdentityView;
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
                                this::withPassword)
                        .described(
                                Operation.of(
                                                "Signs in by name and password; the session is a"
                                                        + " cookie.")
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
                people(HttpMethod.DELETE, "/api/session", this::signOut)
                        .described(Operation.of("Signs out.").answersNothing()),
                people(HttpMethod.PUT, "/api/session/org", this::turnTo)
                        .described(
                                Operation.of(
                                                "From now on the session speaks for another of"
                                                        + " one's orgs where no path names one.")
                                        .takes(ChosenOrg.class)
                                        .answers(CallerView.class)));
    }

    /** A route for somebody about themselves. */
    static Route people(HttpMethod method, String path, Route.Handler handler) {
        return new Route(method, path, Access.operators(Role.VIEWER), OrgScope.CALLER, handler);
    }

    /**
     * A sign-in with a password.
     *
     * @param code of the second factor, if there is one
     * @param client what signs in, in its own words
     * @param bearer whether the answer has the session's secret, for a client without cookies
     */
    private record PasswordSignIn(
            @Nullable String org,
            String username,
            String password,
            @Nullable String code,
            @Nullable String client,
            @Nullable Boolean bearer) {}

    private record LinkSignIn(
            String token,
            @Nullable String code,
            @Nullable String client,
            @Nullable Boolean bearer) {}

    private record ChosenOrg(String org) {}

    /**
     * Who asks.
     *
     * @param who the kind of caller and its id, such as {@code operator:01…}
     * @param username of a person, as are the role and how they sign in
     * @param oneOrg whether this session, which an admin's link opened, is for this org only
     * @param orgs those that the session may act in
     * @param identities accounts at identity providers that sign in as this person
     * @param session the secret, only in the answer to a sign-in that asked for it
     */
    record CallerView(
            String org,
            String who,
            @Nullable String username,
            @Nullable Role role,
            @Nullable Boolean hasPassword,
            @Nullable Boolean hasSecondFactor,
            @Nullable Long recoveryCodesLeft,
            @Nullable Boolean oneOrg,
            @Nullable List<PersonService.Membership> orgs,
            @Nullable List<IdentityView> identities,
            @Nullable String session)
            implements Sparse {}

    private Response withPassword(Request request) {
        JsonFields fields = request.fields().only(PasswordSignIn.class);
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
        JsonFields fields = request.fields().only(LinkSignIn.class);
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
        Operator operator = signedIn.operator();
        return fields.flag("bearer")
                ? Response.json(shown(operator, signedIn.sessionSecret(), null, null))
                : SessionCookie.set(
                        Response.json(shown(operator)),
                        signedIn.sessionSecret(),
                        OperatorSessionStore.SESSION);
    }

    private Response who(Request request) {
        Principal principal = request.principal();
        if (!(principal instanceof Principal.Operator(_, var id, _))) {
            return Response.json(
                    new CallerView(
                            principal.org().value(),
                            principal.label(),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null));
        }
        Operator operator = operatorService.find(principal, id.value());
        Optional<String> session = OperatorSessionStore.secretIn(request.credentials());
        return Response.json(
                session.map(
                                secret ->
                                        shown(
                                                operator,
                                                null,
                                                personService.ways(secret),
                                                personService.orgs(session)))
                        .orElseGet(() -> shown(operator)));
    }

    static CallerView shown(Operator operator) {
        return shown(operator, null, null, null);
    }

    private static CallerView shown(
            Operator operator,
            @Nullable String session,
            PersonService.@Nullable Ways ways,
            @Nullable List<PersonService.Membership> orgs) {
        return new CallerView(
                operator.org(),
                "operator:" + operator.id(),
                operator.username(),
                operator.role(),
                operator.hasPassword(),
                operator.hasSecondFactor(),
                ways == null ? null : ways.recoveryCodesLeft(),
                ways == null ? null : ways.oneOrg(),
                orgs,
                ways == null ? null : ways.identities(),
                session);
    }

    private Response signOut(Request request) {
        OperatorSessionStore.secretIn(request.credentials())
                .ifPresent(s -> signIn.signOut(request.actor(), s));
        return SessionCookie.clear(Response.done());
    }

    private Response turnTo(Request request) {
        OrgId org = request.fields().only(ChosenOrg.class).id("org", OrgId::new);
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
