package dev.skep.transport.http;

import dev.skep.transport.route.Reply;
import java.time.Duration;

/**
 * The cookie a browser shows who signed in with; scripts cannot read it, other sites not send it.
 */
public final class SessionCookie {
    public static final String NAME = "skep_session";

    private SessionCookie() {}

    public static Reply set(Reply reply, String secret, Duration lifetime) {
        return reply.with("Set-Cookie", cookie(secret, lifetime.toSeconds()));
    }

    public static Reply clear(Reply reply) {
        return reply.with("Set-Cookie", cookie("", 0));
    }

    private static String cookie(String value, long seconds) {
        return "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict"
                .formatted(NAME, value, seconds);
    }
}
