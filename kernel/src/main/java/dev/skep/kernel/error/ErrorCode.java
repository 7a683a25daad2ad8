package dev.skep.kernel.error;

import java.util.Locale;

/**
 * Every way the product says no. The lower-case name is the code people and programs see (problem
 * details, wire errors, the command line); codes are never renamed, only added.
 */
public enum ErrorCode {
    // what was asked
    BAD_REQUEST(Exit.USAGE),
    BAD_CONFIGURATION(Exit.USAGE),
    NOT_FOUND(Exit.FAILURE),
    CONFLICT(Exit.FAILURE),
    ROW_TOO_LARGE(Exit.FAILURE),

    // what the program stands on
    DATA_DIR_UNUSABLE(Exit.ENVIRONMENT),
    DATABASE_UNREACHABLE(Exit.ENVIRONMENT),
    DATABASE_BUSY(Exit.ENVIRONMENT),
    DISK_FULL(Exit.ENVIRONMENT),
    PORT_IN_USE(Exit.ENVIRONMENT),
    NOT_A_DATABASE(Exit.DATABASE),
    DATABASE_NEWER(Exit.DATABASE),
    MIGRATION_EDITED(Exit.DATABASE),
    DATABASE_DAMAGED(Exit.DATABASE),

    // ourselves
    OVERLOADED(Exit.FAILURE),
    CLOSED(Exit.FAILURE),
    INTERNAL(Exit.FAILURE);

    private final Exit exit;

    ErrorCode(Exit exit) {
        this.exit = exit;
    }

    /** The stable code, for example {@code database_newer}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Exit exit() {
        return exit;
    }
}
