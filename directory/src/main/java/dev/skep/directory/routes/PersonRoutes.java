package dev.skep.directory.routes;

import static dev.skep.directory.routes.SessionRoutes.people;
import static dev.skep.directory.routes.SessionRoutes.secret;
import static dev.skep.directory.routes.SessionRoutes.shown;

import dev.skep.directory.operator.NewFactor;
import dev.skep.directory.operator.OperatorSessionStore;
import dev.skep.directory.operator.PersonService;
import dev.skep.directory.operator.SignIn;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.http.SessionCookie;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What people change about how they sign in, and where they are signed in. */
public final class PersonRoutes implements Route.Source {
    private static final String FACTOR = "/api/session/second-factor";
    private static final String SIGN_INS = "/api/session/sign-ins";

    private final PersonService personService;
    private final SessionRoutes sessions;

    public PersonRoutes(PersonService personService, SessionRoutes sessions) {
        this.personService = personService;
        this.sessions = sessions;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                people(HttpMethod.PUT, "/api/session/password", this::setPassword)
                        .described(
                                Operation.of(
                                                "Sets a password, with the old one where there is"
                                                        + " one; ends other sessions.")
                                        .takes(NewPassword.class)
                                        .answersNothing()
                                        .answers(NewSession.class)),
                people(HttpMethod.POST, "/api/session/orgs", this::join)
                        .described(
                                Operation.of(
                                                "Makes the operator of a sign-in link one's own, so"
                                                        + " that one sign-in opens both orgs.")
                                        .takes(LinkOfAnotherOrg.class)
                                        .answers(SessionRoutes.CallerView.class)),
                people(HttpMethod.POST, FACTOR, this::beginSecondFactor)
                        .described(
                                Operation.of(
                                                "Begins to set up a second factor; the secret is"
                                                        + " shown once.")
                                        .takes(CurrentPassword.class)
                                        .answers(NewFactor.class)),
                people(HttpMethod.PUT, FACTOR, this::confirmSecondFactor)
                        .described(
                                Operation.of(
                                                "Turns it on by a first code; the recovery codes"
                                                        + " are shown once.")
                                        .takes(TypedCode.class)
                                        .answers(RecoveryCodes.class)),
                people(HttpMethod.POST, FACTOR + "/remove", this::removeSecondFactor)
                        .described(
                                Operation.of("Removes it, with a code or a recovery code.")
                                        .takes(TypedCode.class)
                                        .answersNothing()),
                people(HttpMethod.GET, SIGN_INS, this::signIns)
                        .described(
                                Operation.of("Where one is signed in.")
                                        .answers(PersonService.OwnSignIns.class)),
                people(HttpMethod.DELETE, SIGN_INS + "/{signin}", this::endSignIn)
                        .described(Operation.of("Ends one of these sign-ins.").answersNothing()));
    }

    private record NewPassword(
            @Nullable String current,
            String next,
            @Nullable String client,
            @Nullable Boolean bearer) {}

    private record NewSession(String session) {}

    private record LinkOfAnotherOrg(String token) {}

    private record CurrentPassword(@Nullable String password) {}

    private record TypedCode(String code) {}

    private record RecoveryCodes(List<String> recoveryCodes) {}

    private Response setPassword(Request request) {
        JsonFields fields = request.fields().only(NewPassword.class);
        SignIn.Caller caller = sessions.caller(request, fields);
        String session =
                personService.setPassword(
                        request.actor(),
                        secret(request),
                        fields.optionalText("current"),
                        fields.text("next"),
                        caller);
        return fields.flag("bearer")
                ? Response.json(new NewSession(session))
                : SessionCookie.set(Response.done(), session, OperatorSessionStore.SESSION);
    }

    private Response join(Request request) {
        String token = request.body(LinkOfAnotherOrg.class).token();
        return Response.json(shown(personService.join(request.actor(), secret(request), token)));
    }

    private Response beginSecondFactor(Request request) {
        JsonFields fields = request.fields().only(CurrentPassword.class);
        return Response.json(
                personService.beginSecondFactor(secret(request), fields.optionalText("password")));
    }

    private Response confirmSecondFactor(Request request) {
        String code = request.body(TypedCode.class).code();
        return Response.json(
                new RecoveryCodes(
                        personService.confirmSecondFactor(request.actor(), secret(request), code)));
    }

    private Response removeSecondFactor(Request request) {
        String code = request.body(TypedCode.class).code();
        personService.removeSecondFactor(request.actor(), secret(request), code);
        return Response.done();
    }

    private Response signIns(Request request) {
        return Response.json(personService.signIns(secret(request)));
    }

    private Response endSignIn(Request request) {
        personService.endSignIn(request.actor(), secret(request), request.parameter("signin"));
        return Response.done();
    }
}
