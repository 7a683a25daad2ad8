package dev.skep.directory.routes;

import dev.skep.directory.enrolment.ChallengeIssuer;
import dev.skep.directory.enrolment.Enrolment;
import dev.skep.directory.enrolment.HostClaim;
import dev.skep.directory.enrolment.HostTokenService;
import dev.skep.directory.host.HostKey;
import dev.skep.directory.host.HubStatement;
import dev.skep.directory.host.LinkStatement;
import dev.skep.directory.host.LinkStatement.Purpose;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.Timestamps;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.http.CidrBlock;
import dev.skep.transport.http.RateLimit;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The routes by which hosts connect: challenge, enrol, token, rotate. An address that guesses is
 * slowed down.
 */
public final class HostTokenRoutes implements Route.Source {
    private static final int LONGEST_ADDRESS = 1_000;

    private final LocalHost hub;
    private final ChallengeIssuer challengeIssuer;
    private final Enrolment enrolment;
    private final HostTokenService hostTokenService;
    private final RateLimit wrong;

    public HostTokenRoutes(
            LocalHost hub,
            ChallengeIssuer challengeIssuer,
            Enrolment enrolment,
            HostTokenService hostTokenService,
            LongSupplier nanoTime) {
        this.hub = hub;
        this.challengeIssuer = challengeIssuer;
        this.enrolment = enrolment;
        this.hostTokenService = hostTokenService;
        this.wrong = new RateLimit(30, Duration.ofMinutes(1), 60, nanoTime);
    }

    @Override
    public List<Route> routes() {
        return List.of(
                open("/api/link/challenge", Access.unlimited(), this::challenge)
                        .described(
                                Operation.of("A host asks for something to sign.")
                                        .takes(LinkBodies.AskedChallenge.class)
                                        .answers(LinkBodies.Challenge.class)),
                open("/api/link/enrol", Access.proving(), this::guessable)
                        .described(
                                Operation.of(
                                                "A host gets in, by a pairing code or an access key, and leaves its public key.")
                                        .takes(LinkBodies.Enrolling.class)
                                        .answers(LinkBodies.Enrolled.class)),
                open("/api/link/token", Access.proving(), r -> counted(r, this::token))
                        .described(
                                Operation.of(
                                                "A host answers a challenge and gets the token its link opens with.")
                                        .takes(LinkBodies.SignedChallenge.class)
                                        .answers(LinkBodies.Token.class)),
                open("/api/link/rotate", Access.proving(), r -> counted(r, this::rotate))
                        .described(
                                Operation.of("A host brings a new key, signed by the old one.")
                                        .takes(LinkBodies.Rotating.class)
                                        .answers(LinkBodies.Rotated.class)));
    }

    private static Route open(String path, Access access, Route.Handler handler) {
        return new Route(HttpMethod.POST, path, access, OrgScope.NONE, handler);
    }

    /**
     * An access key may be chosen by a person and be guessable, so too many wrong tries block all
     * further ones. A pairing code cannot be guessed: a right one works however many wrong ones
     * come from the same address.
     */
    private Response guessable(Request request) {
        // Once: what was sent is read as it comes.
        JsonFields fields = request.fields();
        boolean hasCode = fields.optionalText("code").isPresent();
        if (!hasCode && !wrong.has(CidrBlock.counted(request.from()))) {
            throw tooMany();
        }
        return counted(request, asked -> enrol(asked, fields));
    }

    /**
     * A signature cannot be guessed: an enrolled key works however many wrong ones come from the
     * same address. Other clients learn only that there were too many.
     */
    private Response counted(Request request, Route.Handler handler) {
        try {
            return handler.answer(request);
        } catch (SkepException refused) {
            boolean isWrong = refused.code().httpStatus() == 401;
            if (isWrong && !wrong.take(CidrBlock.counted(request.from()))) {
                throw tooMany();
            }
            throw refused;
        }
    }

    private static SkepException tooMany() {
        return new SkepException(
                ErrorCode.TOO_MANY_REQUESTS,
                "too many wrong codes, keys or signatures from one address; wait a minute");
    }

    /** A host that sends the address it dialled learns whether that is ours. */
    private Response challenge(Request request) {
        Optional<String> address = request.fields().optionalText("address");
        String nonce = challengeIssuer.next();
        if (address.isEmpty()) {
            return Response.json(
                    new LinkBodies.Challenge(hub.id().value(), nonce, null, null, null));
        }
        HostKey key = hub.keys().newest();
        boolean own = request.ownAddresses().has(bounded(address.get()));
        HubStatement said = new HubStatement(hub.id().value(), nonce, address.get(), own);
        return Response.json(
                new LinkBodies.Challenge(
                        said.hubId(), nonce, key.publicKey(), own, said.signedWith(key)));
    }

    private static String bounded(String address) {
        if (address.length() > LONGEST_ADDRESS) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "field 'address' has %,d characters, at most %,d are allowed"
                            .formatted(address.length(), LONGEST_ADDRESS));
        }
        return address;
    }

    private Response enrol(Request request, JsonFields fields) {
        OrgId org =
                enrolment.enrol(
                        claim(request, fields, Purpose.ENROL), ticket(fields), request.from());
        return Response.json(new LinkBodies.Enrolled(hub.id().value(), org.value()));
    }

    private static Enrolment.Ticket ticket(JsonFields fields) {
        Optional<String> code = fields.optionalText("code");
        return code.<Enrolment.Ticket>map(Enrolment.Ticket.PairingCode::new)
                .orElseGet(() -> new Enrolment.Ticket.AccessKey(fields.text("accessKey")));
    }

    private Response token(Request request) {
        HostTokenService.IssuedToken issuedToken =
                hostTokenService.token(claim(request, request.fields(), Purpose.TOKEN));
        return Response.json(
                new LinkBodies.Token(
                        issuedToken.token(),
                        issuedToken.life().toSeconds(),
                        issuedToken.rotate(),
                        issuedToken.clockOff().toSeconds()));
    }

    private Response rotate(Request request) {
        JsonFields fields = request.fields();
        hostTokenService.rotate(
                claim(request, fields, Purpose.ROTATE),
                fields.text("currentKey"),
                fields.text("currentSignature"),
                request.from());
        return Response.json(new LinkBodies.Rotated());
    }

    private static HostClaim claim(Request request, JsonFields fields, Purpose purpose) {
        Optional<String> address = fields.optionalText("address").map(HostTokenRoutes::bounded);
        try {
            LinkStatement statement =
                    new LinkStatement(
                            purpose,
                            fields.text("hubId"),
                            fields.text("nonce"),
                            HostId.parse(fields.text("hostId")).value(),
                            fields.text("publicKey"),
                            fields.text("place"),
                            Timestamps.parse(fields.text("at")),
                            address);
            return new HostClaim(
                    statement,
                    name(fields),
                    fields.text("signature"),
                    address.filter(request.ownAddresses()::has).isPresent());
        } catch (DateTimeParseException e) {
            throw new SkepException(ErrorCode.BAD_REQUEST, "field 'at' must be an ISO-8601 time");
        }
    }

    private static String name(JsonFields fields) {
        String name = fields.optionalText("name").orElse("");
        if (name.length() > Column.NAME) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "field 'name' has %,d characters, at most %d are allowed; shorten it"
                            .formatted(name.length(), Column.NAME));
        }
        return name;
    }
}
