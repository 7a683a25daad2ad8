package dev.skep.kernel.error;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Every way the product says no. The lower-case name is the code people and programs see (problem
 * details, wire errors, the command line); codes are never renamed, only added.
 */
public enum ErrorCode {
    // what was asked
    BAD_REQUEST(Exit.USAGE),
    BAD_CONFIGURATION(Exit.USAGE),
    NOT_FOUND(Exit.FAILURE, 404),
    CONFLICT(Exit.FAILURE),
    ROW_TOO_LARGE(Exit.FAILURE, 413),
    JOB_FAILED(Exit.FAILURE),
    DELIVERY_FAILED(Exit.FAILURE),
    NO_CONSENT(Exit.FAILURE),
    METHOD_NOT_ALLOWED(Exit.FAILURE, 405),
    REQUEST_TOO_LARGE(Exit.FAILURE, 413),

    // who asked
    UNAUTHENTICATED(Exit.FAILURE, 401),
    FORBIDDEN(Exit.FAILURE, 403),
    HOST_NOT_ALLOWED(Exit.FAILURE, 421),
    ORIGIN_NOT_ALLOWED(Exit.FAILURE, 403),
    TOO_MANY_REQUESTS(Exit.FAILURE, 429),
    WRONG_PASSWORD(Exit.FAILURE, 401),
    SIGN_IN_LINK_INVALID(Exit.FAILURE, 401),

    // a host on its way in
    PAIRING_CODE_UNKNOWN(Exit.FAILURE, 401),
    PAIRING_CODE_EXPIRED(Exit.FAILURE, 401),
    PAIRING_CODE_USED(Exit.FAILURE, 401),
    WRONG_ACCESS_KEY(Exit.FAILURE, 401),
    NOT_ENROLLED(Exit.FAILURE, 401),
    HOST_REVOKED(Exit.FAILURE, 403),
    HOST_KEY_CHANGED(Exit.FAILURE, 403),
    HOST_KEY_MISSING(Exit.ENVIRONMENT),
    WRONG_SIGNATURE(Exit.FAILURE, 401),
    CHALLENGE_EXPIRED(Exit.FAILURE, 401),
    CHALLENGE_USED(Exit.FAILURE, 401),
    TOKEN_INVALID(Exit.FAILURE, 401),
    TOKEN_EXPIRED(Exit.FAILURE, 401),
    DUPLICATE_HOST(Exit.FAILURE),
    CLOCK_OFF(Exit.ENVIRONMENT, 400),
    HUB_CHANGED(Exit.FAILURE),
    HUB_NOT_PROVEN(Exit.FAILURE),
    HUB_UNREACHABLE(Exit.ENVIRONMENT),

    // what the program stands on
    DATA_DIR_UNUSABLE(Exit.ENVIRONMENT),
    DATABASE_UNREACHABLE(Exit.ENVIRONMENT),
    DATABASE_BUSY(Exit.ENVIRONMENT),
    QUEUE_UNREACHABLE(Exit.ENVIRONMENT),
    DISK_FULL(Exit.ENVIRONMENT, 507),
    PORT_IN_USE(Exit.ENVIRONMENT),
    NOT_A_DATABASE(Exit.DATABASE),
    DATABASE_NEWER(Exit.DATABASE),
    MIGRATION_EDITED(Exit.DATABASE),
    DATABASE_DAMAGED(Exit.DATABASE),
    BACKUP_DAMAGED(Exit.DATABASE),

    // ourselves
    OVERLOADED(Exit.FAILURE, 503),
    CLOSED(Exit.FAILURE, 503),
    INTERNAL(Exit.FAILURE, 500);

    private final Exit exit;
    private final int httpStatus;

    /** For codes whose HTTP status follows from their exit status. */
    ErrorCode(Exit exit) {
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

    ErrorCode(Exit exit, int httpStatus) {
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

    public Exit exit() {
        return exit;
    }

    public int httpStatus() {
        return httpStatus;
    }
}
