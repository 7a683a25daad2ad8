package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;

/** The HTTP library's own refusals as problem documents of the product. */
final class HttpProblems {
    private HttpProblems() {}

    static Problem of(int status) {
        return switch (status) {
            case 404 -> Problem.of(ErrorCode.NOT_FOUND, "there is nothing here; check the path");
            case 405 -> Problem.of(ErrorCode.METHOD_NOT_ALLOWED, "this takes another method");
            case 413 -> Problem.of(ErrorCode.REQUEST_TOO_LARGE, "the body is too long; send less");
            case 414, 431 ->
                    Problem.of(
                            ErrorCode.REQUEST_TOO_LARGE,
                            status,
                            "the request's address or headers are too long; send less");
            case 503 -> Problem.of(ErrorCode.OVERLOADED, "not now; try again");
            default ->
                    status < 500
                            ? Problem.of(ErrorCode.BAD_REQUEST, status, "the request is malformed")
                            : Problem.of(
                                    ErrorCode.INTERNAL,
                                    status,
                                    "unexpected failure; its details are in the log");
        };
    }
}
