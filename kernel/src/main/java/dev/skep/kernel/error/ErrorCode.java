package dev.skep.kernel.error;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Every kind of refusal or failure. The lower-case name is the code people and programs see
 * (problem details, wire errors, the command line); codes are never renamed, only added.
 */
public enum ErrorCode {
    // what was asked
    BAD_REQUEST(ExitStatus.USAGE),
    BAD_CONFIGURATION(ExitStatus.USAGE),
    NOT_FOUND(ExitStatus.FAILURE, 404),
    CONFLICT(ExitStatus.FAILURE),
    ROW_TOO_LARGE(ExitStatus.FAILURE, 413),
    JOB_FAILED(ExitStatus.FAILURE),
    DELIVERY_FAILED(ExitStatus.FAILURE),
    NO_CONSENT(ExitStatus.FAILURE),
    METHOD_NOT_ALLOWED(ExitStatus.FAILURE, 405),
    VERSION_CHANGED(ExitStatus.FAILURE, 412),
    VERSION_REQUIRED(ExitStatus.USAGE, 428),
    INVALID_AGENT_FILE(ExitStatus.FAILURE, 422),
    REQUEST_TOO_LARGE(ExitStatus.FAILURE, 413),

    // who asked
    UNAUTHENTICATED(ExitStatus.FAILURE, 401),
    FORBIDDEN(ExitStatus.FAILURE, 403),
    HOST_NOT_ALLOWED(ExitStatus.FAILURE, 421),
    ORIGIN_NOT_ALLOWED(ExitStatus.FAILURE, 403),
    TOO_MANY_REQUESTS(ExitStatus.FAILURE, 429),
    WRONG_PASSWORD(ExitStatus.FAILURE, 401),
    SIGN_IN_LINK_INVALID(ExitStatus.FAILURE, 401),

    // a host on its way in
    PAIRING_CODE_UNKNOWN(ExitStatus.FAILURE, 401),
    PAIRING_CODE_EXPIRED(ExitStatus.FAILURE, 401),
    PAIRING_CODE_USED(ExitStatus.FAILURE, 401),
    WRONG_ACCESS_KEY(ExitStatus.FAILURE, 401),
    NOT_ENROLLED(ExitStatus.FAILURE, 401),
    HOST_REVOKED(ExitStatus.FAILURE, 403),
    HOST_KEY_CHANGED(ExitStatus.FAILURE, 403),
    HOST_KEY_MISSING(ExitStatus.ENVIRONMENT),
    WRONG_SIGNATURE(ExitStatus.FAILURE, 401),
    CHALLENGE_EXPIRED(ExitStatus.FAILURE, 401),
    CHALLENGE_USED(ExitStatus.FAILURE, 401),
    TOKEN_INVALID(ExitStatus.FAILURE, 401),
    TOKEN_EXPIRED(ExitStatus.FAILURE, 401),
    DUPLICATE_HOST(ExitStatus.FAILURE),
    CLOCK_OFF(ExitStatus.ENVIRONMENT, 400),
    HUB_CHANGED(ExitStatus.FAILURE),
    HUB_NOT_PROVEN(ExitStatus.FAILURE),
    HUB_UNREACHABLE(ExitStatus.ENVIRONMENT),

    // what the program depends on
    DATA_DIR_UNUSABLE(ExitStatus.ENVIRONMENT),
    DATABASE_UNREACHABLE(ExitStatus.ENVIRONMENT),
    DATABASE_BUSY(ExitStatus.ENVIRONMENT),
    QUEUE_UNREACHABLE(ExitStatus.ENVIRONMENT),
    DISK_FULL(ExitStatus.ENVIRONMENT, 507),
    PORT_IN_USE(ExitStatus.ENVIRONMENT),
    NOT_A_DATABASE(ExitStatus.DATABASE),
    DATABASE_NEWER(ExitStatus.DATABASE),
    MIGRATION_EDITED(ExitStatus.DATABASE),
    DATABASE_DAMAGED(ExitStatus.DATABASE),
    BACKUP_DAMAGED(ExitStatus.DATABASE),

    // ourselves
    OVERLOADED(ExitStatus.FAILURE, 503),
    CLOSED(ExitStatus.FAILURE, 503),
    INTERNAL(ExitStatus.FAILURE, 500);

    private final ExitStatus exit;
    private final int httpStatus;

    /** For codes whose HTTP status follows from their exit status. */
    ErrorCode(ExitStatus exit) {
        this(
                exit,
                switch (exit) {
                    case OK -> 200;
                    case USAGE -> 400;
                    case FAILURE -> 409;
                    case ENVIRONMENT -> 503;
                    case DATABASE -> 500;
                });
    }

    ErrorCode(ExitStatus exit, int httpStatus) {
        this.exit = exit;
        this.httpStatus = httpStatus;
    }

    /** The stable code, for example {@code database_newer}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The code a peer sent; empty if a newer version made it up. */
    public static Optional<ErrorCode> named(String code) {
        return Arrays.stream(values()).filter(each -> each.code().equals(code)).findFirst();
    }

    public ExitStatus exit() {
        return exit;
    }

    public int httpStatus() {
        return httpStatus;
    }
}
