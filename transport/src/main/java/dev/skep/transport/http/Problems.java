package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import io.javalin.http.HttpResponseException;

/** The HTTP library's own refusals in the product's words. */
final class Problems {
    private Problems() {}

    static Problem of(HttpResponseException refusal) {
        return switch (refusal.getStatus()) {
            case 404 -> Problem.of(ErrorCode.NOT_FOUND, "there is nothing here; check the path");
            case 405 -> Problem.of(ErrorCode.METHOD_NOT_ALLOWED, "this takes another method");
            case 413 -> Problem.of(ErrorCode.REQUEST_TOO_LARGE, "the body is too long; send less");
            default -> Problem.of(ErrorCode.BAD_REQUEST, "the request is malformed");
        };
    }
}
