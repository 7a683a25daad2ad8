package dev.skep.directory.routes;

import static dev.skep.directory.routes.SessionRoutes.people;
import static dev.skep.directory.routes.SessionRoutes.secret;

import dev.skep.directory.oidc.ProviderSignIn;
import dev.skep.directory.operator.Identity;
import dev.skep.directory.operator.IdentitySignIn;
import dev.skep.directory.operator.PersonService;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Signing in at identity providers. The page carries what they answer back to us. */
public final class ProviderRoutes implements Route.Source {
    private static final String PROVIDERS = "/api/session/providers";
    private static final String IDENTITIES = "/api/session/identities";

    private final ProviderSignIn providers;
    private final IdentitySignIn identities;
    private final PersonService personService;
    private final SessionRoutes sessions;

    public ProviderRoutes(
            ProviderSignIn providers,
            IdentitySignIn identities,
            PersonService personService,
            SessionRoutes sessions) {
        this.providers = providers;
        this.identities = identities;
        this.personService = personService;
        this.sessions = sessions;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.GET,
                                PROVIDERS,
                                Access.anyone(),
                                OrgScope.NONE,
                                request -> Response.json(new Providers(providers.offered())))
                        .described(
                                Operation.of("Identity providers that the sign-in page offers.")
                                        .answers(Providers.class)),
                new Route(
                                HttpMethod.POST,
                                PROVIDERS + "/{provider}",
                                Access.anyone(),
                                OrgScope.NONE,
                                this::start)
                        .described(
                                Operation.of(
                                                "Starts a sign-in at a provider: where the browser"
                                                        + " goes, and what its tab keeps.")
                                        .takes(WayBack.class)
                                        .answers(ProviderSignIn.StartedSignIn.class)),
                new Route(
                                HttpMethod.POST,
                                "/api/session/identity",
                                Access.anyone(),
                                OrgScope.NONE,
                                this::signIn)
                        .described(
                                Operation.of(
                                                "Signs in by what a provider sent the browser back"
                                                        + " with.")
                                        .takes(IdentitySignInBody.class)
                                        .answers(SessionRoutes.CallerView.class)),
                people(HttpMethod.POST, IDENTITIES, this::connect)
                        .described(
                                Operation.of(
                                                "Connects an account at a provider to who is signed"
                                                        + " in.")
                                        .takes(ProviderAnswer.class)
                                        .answersNothing()),
                people(HttpMethod.DELETE, IDENTITIES + "/{provider}", this::disconnect)
                        .described(
                                Operation.of("The accounts at a provider no longer sign in.")
                                        .answersNothing()));
    }

    private record Providers(List<ProviderSignIn.OfferedProvider> providers) {}

    /**
     * Where the provider sends the browser.
     *
     * @param redirect the address of this hub's page {@code /sign-in}
     */
    private record WayBack(String redirect) {}

    private record ProviderAnswer(String flow, String state, String code) {}

    private record IdentitySignInBody(
            String flow,
            String state,
            String code,
            @Nullable String client,
            @Nullable Boolean bearer) {}

    /** The provider checks the whole address: it goes back to none that it does not know. */
    private Response start(Request request) {
        String provider = request.parameter("provider");
        providers.require(provider);
        String redirect = request.body(WayBack.class).redirect();
        if (!redirect.matches("https?://[^/?#\\s]+/sign-in")) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "field 'redirect' must be the address of this hub's page /sign-in");
        }
        return Response.json(providers.start(provider, redirect));
    }

    private Response signIn(Request request) {
        JsonFields fields = request.fields().only(IdentitySignInBody.class);
        Identity identity = finished(fields);
        return SessionRoutes.in(
                fields, identities.signIn(identity, sessions.caller(request, fields)));
    }

    private Identity finished(JsonFields fields) {
        return providers.finish(fields.text("flow"), fields.text("state"), fields.text("code"));
    }

    private Response connect(Request request) {
        String secret = secret(request);
        JsonFields fields = request.fields().only(ProviderAnswer.class);
        identities.connect(request.actor(), secret, finished(fields));
        return Response.done();
    }

    private Response disconnect(Request request) {
        personService.disconnect(request.actor(), secret(request), request.parameter("provider"));
        return Response.done();
    }
}
