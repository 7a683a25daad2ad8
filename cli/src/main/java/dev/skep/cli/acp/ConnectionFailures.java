package dev.skep.cli.acp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.util.Set;

/** Which failures of a call say that the other side is away, and not that it refuses. */
final class ConnectionFailures {
    private static final Set<ErrorCode> PASSING =
            Set.of(
                    ErrorCode.HUB_UNREACHABLE,
                    ErrorCode.OVERLOADED,
                    ErrorCode.CLOSED,
                    ErrorCode.DATABASE_BUSY);

    private ConnectionFailures() {}

    static boolean mayPass(SkepException failure) {
        return PASSING.contains(failure.code());
    }

    /** Whether what was asked cannot have reached anybody. */
    static boolean notSent(SkepException failure) {
        return failure.code() == ErrorCode.OVERLOADED
                || failure.getCause() instanceof ConnectException
                || failure.getCause() instanceof HttpConnectTimeoutException;
    }
}
