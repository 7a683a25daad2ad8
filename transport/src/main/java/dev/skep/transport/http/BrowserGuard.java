package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps other people's web pages from driving this listener through its user's browser: by a name
 * that their DNS points here, or by a request from their origin.
 */
public final class BrowserGuard {
    private static final Logger LOG = LoggerFactory.getLogger(BrowserGuard.class);

    /** What may be repeated to people: nothing that could be read as something else. */
    private static final Pattern PRINTABLE = Pattern.compile("[A-Za-z0-9:/.\\[\\]_+-]{1,200}");

    /** The log names at most this many origins. */
    private static final int MOST_LOGGED = 100;

    private final Set<String> names = new HashSet<>();
    private final Set<String> origins = new HashSet<>();
    private final ListenerConfig.Advice advice;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    public BrowserGuard(ListenerConfig config) {
        names.add("localhost");
        names.add(config.address().toLowerCase(Locale.ROOT));
        config.names().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        config.origins().forEach(origin -> origins.add(origin.toLowerCase(Locale.ROOT)));
        this.advice = config.advice();
    }

    /** Throws unless a request for a socket was sent to us, and by no foreign web page. */
    public void checkPage(@Nullable String host, @Nullable String origin) {
        checkOrigin(origin, checkHost(host));
    }

    /** The host a request was sent to, if it is one of ours. */
    Authority checkHost(@Nullable String header) {
        Optional<Authority> host = header == null ? Optional.empty() : Authority.parse(header);
        return host.filter(h -> Loopback.isLiteral(h.host()) || names.contains(h.host()))
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.HOST_NOT_ALLOWED,
                                        "this is not reached by %s; add it with %s"
                                                .formatted(
                                                        shown(
                                                                host.map(Authority::host)
                                                                        .orElse(""),
                                                                "that host name"),
                                                        advice.names())));
    }

    /** Requests without an origin do not come from a web page. */
    void checkOrigin(@Nullable String origin, Authority host) {
        if (origin == null || origins.contains(origin.toLowerCase(Locale.ROOT))) {
            return;
        }
        boolean same =
                Authority.ofOrigin(origin)
                        .filter(o -> o.equals(host.withoutPort(defaultPort(origin))))
                        .isPresent();
        if (!same) {
            String named = shown(origin, "that origin");
            logOnce(named);
            throw new SkepException(
                    ErrorCode.ORIGIN_NOT_ALLOWED,
                    "web pages of %s may not ask this; allow them with %s"
                            .formatted(named, advice.origins()));
        }
    }

    /** The author of a foreign page sees only that it does not connect. */
    private void logOnce(String origin) {
        if (logged.size() < MOST_LOGGED && logged.add(origin)) {
            LOG.warn("a web page was refused origin={} allow it with {}", origin, advice.origins());
        }
    }

    private static String shown(String text, String otherwise) {
        return PRINTABLE.matcher(text).matches() ? text : otherwise;
    }

    private static String defaultPort(String origin) {
        return origin.startsWith("https") ? "443" : "80";
    }
}
