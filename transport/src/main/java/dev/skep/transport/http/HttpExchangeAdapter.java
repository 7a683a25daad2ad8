package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Router;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates between the HTTP library and the route table, errors included. */
final class HttpExchangeAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(HttpExchangeAdapter.class);
    private static final String BEARER = "bearer ";
    private static final Set<Integer> LOGGED_REFUSALS = Set.of(401, 403, 421, 429);

    private final Router router;
    private final int bodyLimit;
    private final ListenerAddresses listenerAddresses;
    private final AtomicLong failures = new AtomicLong();
    private final RateLimitedLog log = new RateLimitedLog(LOG::warn);

    HttpExchangeAdapter(Router router, ListenerConfig config) {
        this.router = router;
        this.bodyLimit = config.limits().bodyBytes();
        this.listenerAddresses = new ListenerAddresses(config);
    }

    void answer(Context context) throws IOException {
        Response response;
        try {
            response =
                    router.answer(
                            Request.of(
                                            HttpMethod.valueOf(context.method().name()),
                                            context.path(),
                                            query(context),
                                            credentials(context),
                                            new BoundedBody(context, bodyLimit))
                                    .takenAt(url -> listenerAddresses.isOwn(url, context.req()))
                                    .ifMatches(Optional.ofNullable(context.header("If-Match"))),
                            () -> ConnectionLimiter.proved(context.req()));
        } catch (RuntimeException failure) {
            response = problem(context, failure).response();
        }
        send(context, response);
    }

    /** Sends a reply; it is no failure if the client disconnects before the end. */
    void send(Context context, Response response) throws IOException {
        context.status(response.status());
        response.headers().forEach((name, value) -> add(context, name, value));
        if (!response.contentType().isEmpty()) {
            context.contentType(response.contentType());
        }
        if (!response.headers().containsKey("Cache-Control")) {
            context.header("Cache-Control", "no-store");
        }
        try {
            response.body().writeTo(context.res().getOutputStream());
        } catch (IOException | UncheckedIOException clientGone) {
            response.body().undelivered();
            if (!context.res().isCommitted()) {
                throw clientGone;
            }
        }
    }

    /** Cookies that came over TLS, ours or that of a proxy we trust, go back over TLS only. */
    private static void add(Context context, String name, String value) {
        if (!name.equals("Set-Cookie")) {
            context.header(name, value);
            return;
        }
        SessionCookie.removalOfEarlier(context.req())
                .ifPresent(removal -> context.res().addHeader(name, removal));
        context.res()
                .addHeader(
                        name,
                        SessionCookie.outgoing(
                                context.req(),
                                ClientAddressResolver.isOverTls(context.req()),
                                value));
    }

    /** What went wrong, without more than the caller may know; the unexpected is logged. */
    Problem problem(Context context, Exception failure) {
        if (failure instanceof SkepException expected && expected.code() != ErrorCode.INTERNAL) {
            logRefusal(context, expected.code());
            return Problem.of(expected);
        }
        if (failure instanceof HttpException malformed) {
            return HttpProblems.of(malformed.getCode());
        }
        long number = failures.incrementAndGet();
        log.report(
                "requests that failed with " + RateLimitedLog.causeOf(failure),
                () ->
                        LOG.error(
                                "request failed number={} method={}",
                                number,
                                context.method(),
                                failure));
        return Problem.of(
                ErrorCode.INTERNAL,
                "unexpected failure number %d; its details are in the log".formatted(number));
    }

    /** Logs that a client probes paths, and how often. */
    private void logRefusal(Context context, ErrorCode code) {
        if (LOGGED_REFUSALS.contains(code.httpStatus())) {
            log.report(
                    "requests refused with " + code.code(),
                    () ->
                            LOG.info(
                                    "request refused code={} from={}",
                                    code.code(),
                                    context.req().getRemoteAddr()));
        }
    }

    static Credentials credentials(Context context) {
        String authorization = Optional.ofNullable(context.header("Authorization")).orElse("");
        boolean isBearer = authorization.toLowerCase(Locale.ROOT).startsWith(BEARER);
        boolean askedByLoopbackName =
                Authority.parse(Optional.ofNullable(context.header("Host")).orElse(""))
                        .filter(host -> Loopback.isLoopback(host.host()))
                        .isPresent();
        return new Credentials(
                isBearer
                        ? Optional.of(authorization.substring(BEARER.length()).strip())
                        : Optional.empty(),
                SessionCookie.secretIn(context.req()),
                Loopback.withoutBrackets(context.req().getRemoteAddr()),
                askedByLoopbackName && ClientAddressResolver.isOnThisMachine(context.req()));
    }

    private static Map<String, String> query(Context context) {
        Map<String, String> first = new HashMap<>();
        try {
            context.queryParamMap().forEach((name, values) -> first.put(name, values.getFirst()));
        } catch (RuntimeException malformed) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "the query is malformed; percent-encode its values");
        }
        // What a browser's EventSource sends when it comes back.
        String lastEvent = context.header("Last-Event-ID");
        if (lastEvent != null) {
            first.putIfAbsent("after", lastEvent);
        }
        return first;
    }
}
