package dev.skep.transport.http;

import io.javalin.http.Context;

/** What every response tells a browser about what it may do with it. */
final class SecurityHeaders {
    private static final String POLICY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

    private final boolean tls;

    SecurityHeaders(boolean tls) {
        this.tls = tls;
    }

    void set(Context context) {
        context.header("Content-Security-Policy", POLICY);
        context.header("X-Content-Type-Options", "nosniff");
        context.header("X-Frame-Options", "DENY");
        context.header("Referrer-Policy", "no-referrer");
        context.header("Cross-Origin-Opener-Policy", "same-origin");
        context.header("Cross-Origin-Resource-Policy", "same-origin");
        if (tls) {
            context.header("Strict-Transport-Security", "max-age=31536000");
        }
    }
}
