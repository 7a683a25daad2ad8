package dev.skep.transport.route;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks a request against the route table and calls its handler. Thread-safe. */
public final class Router {
    private static final RouteInterceptor CALLS = RouteInterceptor.find();

    private final RouteTable table;
    private final Authenticator authenticator;

    public Router(RouteTable table, Authenticator authenticator) {
        this.table = table;
        this.authenticator = authenticator;
    }

    public RouteTable table() {
        return table;
    }

    /** The route a path leads to, for metrics; empty if none. */
    public Optional<Route> route(HttpMethod method, String path) {
        return table.find(method, path) instanceof RouteTable.Match.Found(Route route, _)
                ? Optional.of(route)
                : Optional.empty();
    }

    /** Whether this route has rate limits of its own, so that the general one does not apply. */
    public boolean hasOwnRateLimit(String method, String path) {
        return HttpMethod.named(method)
                .flatMap(known -> route(known, path))
                .filter(route -> route.access().hasOwnRateLimit())
                .isPresent();
    }

    /** Whether the credentials are right, whatever they then allow. */
    public boolean isAuthenticated(Credentials credentials) {
        try {
            return authenticator.principalOf(credentials).isPresent();
        } catch (SkepException wrong) {
            return false;
        }
    }

    public Response answer(Request request) {
        return answer(request, () -> {});
    }

    /**
     * The same.
     *
     * @param proved runs as soon as the caller has proven who they are
     */
    public Response answer(Request request, Runnable proved) {
        return switch (table.find(request.method(), request.path())) {
            case RouteTable.Match.Nothing() -> throw nothingAt(request.path());
            case RouteTable.Match.OtherMethods(var allowed) ->
                    throw new SkepException(
                            ErrorCode.METHOD_NOT_ALLOWED,
                            "%s takes %s".formatted(request.path(), allowed));
            case RouteTable.Match.Found(Route route, Map<String, String> parameters) -> {
                Actor actor =
                        authorize(route.access(), route.scope(), parameters, request.credentials());
                if (actor != null) {
                    proved.run();
                }
                Response response = CALLS.answer(route, request.authorizedAs(parameters, actor));
                if (route.access().isProof()) {
                    proved.run();
                }
                yield response;
            }
        };
    }

    /** The caller, if it may use this; also for sockets, which are not in the table. */
    public @Nullable Actor authorize(
            Access access,
            OrgScope scope,
            Map<String, String> parameters,
            Credentials credentials) {
        Optional<Principal> offered =
                access.allowsAnonymous()
                        ? Optional.empty()
                        : authenticator.principalOf(credentials);
        if (offered.isEmpty()) {
            if (access.allowsNobody(credentials)) {
                return null;
            }
            throw new SkepException(
                    ErrorCode.UNAUTHENTICATED, "sign in, or send a token as Authorization: Bearer");
        }
        Principal principal =
                scope == OrgScope.PATH
                        ? inOrg(offered.get(), parameters.getOrDefault("org", ""))
                        : offered.get();
        if (!access.allows(principal)) {
            throw new SkepException(
                    ErrorCode.FORBIDDEN,
                    "this needs %s; ask an admin of your org".formatted(needed(access)));
        }
        return new Actor(principal, credentials.from());
    }

    /** Another org's name is answered like one that does not exist. */
    private Principal inOrg(Principal principal, String named) {
        if (named.isBlank()) {
            throw noOrg(named);
        }
        OrgId org = new OrgId(named);
        if (principal instanceof Principal.Local && authenticator.isOrg(org)) {
            return new Principal.Local(org);
        }
        if (!principal.org().equals(org)) {
            throw noOrg(named);
        }
        return principal;
    }

    private static SkepException noOrg(String named) {
        return new SkepException(
                ErrorCode.NOT_FOUND, "there is no org %s; check the name".formatted(named));
    }

    private static String needed(Access access) {
        return access.kinds().contains(Access.Kind.OPERATOR)
                ? "the role " + access.role().name().toLowerCase(Locale.ROOT)
                : "another kind of key";
    }

    private static SkepException nothingAt(String path) {
        return new SkepException(
                ErrorCode.NOT_FOUND, "there is nothing at %s; check the path".formatted(path));
    }
}
