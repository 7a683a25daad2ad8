package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Response;

/** An error as RFC 9457 problem details, with the product's stable code beside the status. */
public record Problem(String type, String title, int status, String detail, ErrorCode code) {
    public static final String CONTENT_TYPE = "application/problem+json";

    static Problem of(ErrorCode code, String detail) {
        return of(code, code.httpStatus(), detail);
    }

    /** With a status that says more than the code's own. */
    static Problem of(ErrorCode code, int status, String detail) {
        String title = code.code().replace('_', ' ');
        return new Problem("about:blank", title, status, detail, code);
    }

    static Problem of(SkepException e) {
        return of(e.code(), String.valueOf(e.getMessage()));
    }

    Response response() {
        Response response = Response.text(status, CONTENT_TYPE, Json.text(this));
        return switch (status) {
            case 401 -> response.with("WWW-Authenticate", "Bearer");
            case 429, 503 -> response.with("Retry-After", "5");
            default -> response;
        };
    }
}
