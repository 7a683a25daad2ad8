package dev.skep.directory.routes;

import dev.skep.directory.enrolment.Challenges;
import dev.skep.directory.enrolment.Claim;
import dev.skep.directory.enrolment.Connecting;
import dev.skep.directory.enrolment.Enrolment;
import dev.skep.directory.host.LinkStatement;
import dev.skep.directory.host.LinkStatement.Purpose;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Timestamps;
import dev.skep.transport.http.RateLimit;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Fields;
import dev.skep.transport.route.Method;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Reply;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** How hosts get in: challenge, enrol, token, rotate. An address that guesses is slowed down. */
public final class LinkRoutes implements Route.Source {
    private final HostId hub;
    private final Challenges challenges;
    private final Enrolment enrolment;
    private final Connecting connecting;
    private final RateLimit wrong;

    public LinkRoutes(
            HostId hub,
            Challenges challenges,
            Enrolment enrolment,
            Connecting connecting,
            LongSupplier nanoTime) {
        this.hub = hub;
        this.challenges = challenges;
        this.enrolment = enrolment;
        this.connecting = connecting;
        this.wrong = new RateLimit(30, Duration.ofMinutes(1), 60, nanoTime);
    }

    @Override
    public List<Route> routes() {
        return List.of(
                open("/api/link/challenge", this::challenge),
                open("/api/link/enrol", this::enrol),
                open("/api/link/token", this::token),
                open("/api/link/rotate", this::rotate));
    }

    private Route open(String path, Route.Handler handler) {
        return new Route(
                Method.POST,
                path,
                Access.anyone(),
                OrgScope.NONE,
                request -> slowed(request, handler));
    }

    private Reply slowed(Request request, Route.Handler handler) {
        if (!wrong.has(request.from())) {
            throw new SkepException(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "too many wrong codes, keys or signatures from one address; wait a minute");
        }
        try {
            return handler.answer(request);
        } catch (SkepException refused) {
            if (refused.code().httpStatus() == 401) {
                wrong.take(request.from());
            }
            throw refused;
        }
    }

    private Reply challenge(Request request) {
        return Reply.json(Map.of("hubId", hub.value(), "nonce", challenges.next()));
    }

    private Reply enrol(Request request) {
        Fields fields = request.fields();
        OrgId org = enrolment.enrol(claim(fields, Purpose.ENROL), ticket(fields), request.from());
        return Reply.json(Map.of("hubId", hub.value(), "org", org.value()));
    }

    private static Enrolment.Ticket ticket(Fields fields) {
        Optional<String> code = fields.optionalText("code");
        return code.<Enrolment.Ticket>map(Enrolment.Ticket.PairingCode::new)
                .orElseGet(() -> new Enrolment.Ticket.AccessKey(fields.text("accessKey")));
    }

    private Reply token(Request request) {
        Connecting.Granted granted = connecting.token(claim(request.fields(), Purpose.TOKEN));
        return Reply.json(
                Map.of(
                        "token",
                        granted.token(),
                        "expiresInSeconds",
                        granted.life().toSeconds(),
                        "rotate",
                        granted.rotate(),
                        "clockOffSeconds",
                        granted.clockOff().toSeconds()));
    }

    private Reply rotate(Request request) {
        Fields fields = request.fields();
        connecting.rotate(
                claim(fields, Purpose.ROTATE),
                fields.text("currentKey"),
                fields.text("currentSignature"),
                request.from());
        return Reply.json(Map.of());
    }

    private static Claim claim(Fields fields, Purpose purpose) {
        try {
            LinkStatement statement =
                    new LinkStatement(
                            purpose,
                            fields.text("hubId"),
                            fields.text("nonce"),
                            fields.text("hostId"),
                            fields.text("publicKey"),
                            fields.text("place"),
                            Timestamps.parse(fields.text("at")));
            return new Claim(
                    statement, fields.optionalText("name").orElse(""), fields.text("signature"));
        } catch (DateTimeParseException e) {
            throw new SkepException(ErrorCode.BAD_REQUEST, "field 'at' must be an ISO-8601 time");
        }
    }
}
