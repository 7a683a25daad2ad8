package dev.skep.transport.http;

import io.javalin.http.Context;
import java.util.Map;

/** The security headers of every response. */
final class SecurityHeaders {
    private static final String POLICY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

    static final Map<String, String> ALWAYS =
            Map.of(
                    "Content-Security-Policy", POLICY,
                    "X-Content-Type-Options", "nosniff",
                    "X-Frame-Options", "DENY",
                    "Referrer-Policy", "no-referrer",
                    "Cross-Origin-Opener-Policy", "same-origin",
                    "Cross-Origin-Resource-Policy", "same-origin");

    private final boolean tls;

    SecurityHeaders(boolean tls) {
        this.tls = tls;
    }

    void set(Context context) {
        ALWAYS.forEach(context::header);
        if (tls) {
            context.header("Strict-Transport-Security", "max-age=31536000");
        }
    }
}
