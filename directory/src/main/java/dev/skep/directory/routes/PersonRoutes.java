package dev.skep.directory.routes;

import static dev.skep.directory.routes.SessionRoutes.people;
import static dev.skep.directory.routes.SessionRoutes.secret;
import static dev.skep.directory.routes.SessionRoutes.shown;

import dev.skep.directory.operator.OperatorSessionStore;
import dev.skep.directory.operator.PersonService;
import dev.skep.directory.operator.SignIn;
import dev.skep.transport.http.SessionCookie;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;

import java.util.List;
import java.util.Map;

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
                people(HttpMethod.PUT, "/api/session/password", this::setPassword),
                people(HttpMethod.POST, "/api/session/orgs", this::join),
                people(HttpMethod.POST, FACTOR, this::beginSecondFactor),
                people(HttpMethod.PUT, FACTOR, this::confirmSecondFactor),
                people(HttpMethod.POST, FACTOR + "/remove", this::removeSecondFactor),
                people(HttpMethod.GET, SIGN_INS, this::signIns),
                people(HttpMethod.DELETE, SIGN_INS + "/{signin}", this::endSignIn));
    }

    private Response setPassword(Request request) {
        JsonFields fields = request.fields().only("current", "next", "client", "bearer");
        SignIn.Caller caller = sessions.caller(request, fields);
        String session =
                personService.setPassword(
                        request.actor(),
                        secret(request),
                        fields.optionalText("current"),
                        fields.text("next"),
                        caller);
        return fields.flag("bearer")
                ? Response.json(Map.of("session", session))
                : SessionCookie.set(Response.done(), session, OperatorSessionStore.SESSION);
    }

    private Response join(Request request) {
        String token = request.fields().only("token").text("token");
        return Response.json(shown(personService.join(request.actor(), secret(request), token)));
    }

    private Response beginSecondFactor(Request request) {
        JsonFields fields = request.fields().only("password");
        return Response.json(
                personService.beginSecondFactor(secret(request), fields.optionalText("password")));
    }

    private Response confirmSecondFactor(Request request) {
        String code = request.fields().only("code").text("code");
        return Response.json(
                Map.of(
                        "recoveryCodes",
                        personService.confirmSecondFactor(request.actor(), secret(request), code)));
    }

    private Response removeSecondFactor(Request request) {
        String code = request.fields().only("code").text("code");
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
