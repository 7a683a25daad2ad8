package dev.skep.transport.http;

import dev.skep.transport.route.Response;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;

/**
 * The cookie that holds a browser's session; scripts cannot read it, and other sites cannot send
 * it. Browsers send cookies to every port of a host name, so the cookie's name contains the
 * identity of the hub: signing in at a second one of the machine does not sign out of the first,
 * and a hub that moves to another port, or has a proxy before it, goes on with its sessions. All
 * processes of a hub share its identity. The name of earlier versions contains the port; such
 * cookies are still read.
 */
public final class SessionCookie {
    /** What routes call it, which do not know where they are asked. */
    private static final String SOMEWHERE = "skep";

    /** Where a listener keeps the name for what serves its requests. */
    private static final String NAME = SessionCookie.class.getName();

    private SessionCookie() {}

    /** What it is called at a hub, or at a process that is none, by the id of its host. */
    public static String nameFor(String hostId) {
        return SOMEWHERE + "_" + hostId.toLowerCase(Locale.ROOT);
    }

    /** What earlier versions called it, and what it is called where no identity is known. */
    public static String nameAt(int port) {
        return SOMEWHERE + "_" + port;
    }

    /** Makes a listener's name known to what serves its requests. */
    static void name(ServletContextHandler context, String name) {
        context.setAttribute(NAME, name);
    }

    private static String nameAt(HttpServletRequest request) {
        return request.getServletContext().getAttribute(NAME) instanceof String name
                ? name
                : nameAt(request.getLocalPort());
    }

    /** The session that a browser sends. */
    public static Optional<String> secretIn(HttpServletRequest request) {
        return named(nameAt(request), request)
                .or(() -> named(nameAt(request.getLocalPort()), request));
    }

    private static Optional<String> named(String name, HttpServletRequest request) {
        return Stream.ofNullable(request.getCookies())
                .flatMap(Stream::of)
                .filter(cookie -> cookie.getName().equals(name))
                .map(Cookie::getValue)
                .findFirst();
    }

    public static Response set(Response response, String secret, Duration lifetime) {
        return response.with("Set-Cookie", cookie(secret, lifetime.toSeconds()));
    }

    public static Response clear(Response response) {
        return response.with("Set-Cookie", cookie("", 0));
    }

    private static String cookie(String value, long seconds) {
        return "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict"
                .formatted(SOMEWHERE, value, seconds);
    }

    /** A cookie that a route set, as it goes out; over TLS only, if it came in that way. */
    static String outgoing(HttpServletRequest request, boolean tls, String cookie) {
        String named = nameAt(request) + cookie.substring(cookie.indexOf('='));
        return tls ? named + "; Secure" : named;
    }

    /** What removes the cookie of an earlier version, which a new one replaces; empty if none. */
    static Optional<String> removalOfEarlier(HttpServletRequest request) {
        String earlier = nameAt(request.getLocalPort());
        return named(earlier, request)
                .filter(_ -> !earlier.equals(nameAt(request)))
                .map(_ -> earlier + cookie("", 0).substring(SOMEWHERE.length()));
    }
}
