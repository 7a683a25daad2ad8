package dev.skep.transport.http;

import dev.skep.transport.route.Response;
import java.time.Duration;

/**
 * The cookie that holds a browser's session; scripts cannot read it, and other sites cannot send
 * it. Browsers send cookies to every port of a host name, so the cookie's name contains the port:
 * signing in at a second process of the machine does not sign out of the first.
 */
public final class SessionCookie {
    /** What routes call it, which do not know where they are asked. */
    private static final String SOMEWHERE = "skep";

    private SessionCookie() {}

    /** What it is called at a listener's port. */
    public static String nameAt(int port) {
        return SOMEWHERE + "_" + port;
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
    static String at(int port, boolean tls, String cookie) {
        String named = nameAt(port) + cookie.substring(cookie.indexOf('='));
        return tls ? named + "; Secure" : named;
    }
}
