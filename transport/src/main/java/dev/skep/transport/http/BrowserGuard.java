package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other people's web pages from driving this listener through its user's browser: by a name
 * that their DNS points here, or by a request from their origin.
 */
public final class BrowserGuard {
    private final Set<String> names = new HashSet<>();
    private final Set<String> origins = new HashSet<>();

    public BrowserGuard(ListenerConfig config) {
        names.add("localhost");
        names.add(config.address().toLowerCase(Locale.ROOT));
        config.names().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        config.origins().forEach(origin -> origins.add(origin.toLowerCase(Locale.ROOT)));
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
                                        "this is not reached by that host name; add it to the listener's names"));
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
            throw new SkepException(
                    ErrorCode.ORIGIN_NOT_ALLOWED,
                    "web pages of that origin may not ask this; add it to the listener's origins");
        }
    }

    private static String defaultPort(String origin) {
        return origin.startsWith("https") ? "443" : "80";
    }
}
