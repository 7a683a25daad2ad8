package dev.skep.dispatch.routes;

import dev.skep.dispatch.event.OrgEvents;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.PercentEncoding;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketRequest;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An org's events over a WebSocket at {@code /events/ORG?after=ID}, a JSON object each. */
public final class EventSockets implements SocketAcceptor {
    public static final String PATHS = "/events/*";

    private static final Pattern PATH = Pattern.compile("/events/([^/]+)");

    private final OrgEvents events;
    private final Router router;

    public EventSockets(OrgEvents events, Router router) {
        this.events = events;
        this.router = router;
    }

    @Override
    public AdmissionResult enter(SocketRequest request) {
        Matcher path = PATH.matcher(request.path());
        if (!path.matches()) {
            return new AdmissionResult.Refused(404, "there is nothing here; ask for /events/ORG");
        }
        try {
            OrgId org = judge(request, PercentEncoding.decode(path.group(1)));
            Optional<String> after = request.query("after").filter(id -> !id.isEmpty());
            return new AdmissionResult.Admitted(() -> new EventSocket(events, org, after));
        } catch (SkepException refused) {
            return new AdmissionResult.Refused(
                    refused.code().httpStatus(), String.valueOf(refused.getMessage()));
        }
    }

    /** The org, if the caller may listen; checked like the route for the same events. */
    private OrgId judge(SocketRequest request, String org) {
        Actor actor =
                router.authorize(
                        Access.operators(Role.VIEWER).orAgents(),
                        OrgScope.PATH,
                        Map.of("org", org),
                        request.credentials());
        if (actor == null) {
            throw new IllegalStateException("an event socket needs an authenticated caller");
        }
        return actor.org();
    }
}
