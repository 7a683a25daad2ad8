package dev.skep.transport.client;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;

/** Turns problem details back into the exception they were made of. */
final class ProblemDecoder {
    private ProblemDecoder() {}

    static SkepException of(int status, byte[] body, String where) {
        try {
            JsonFields problem = JsonFields.of(body);
            String detail = problem.optionalText("detail").orElse("");
            return problem.optionalText("code")
                    .flatMap(ErrorCode::named)
                    .map(code -> new SkepException(code, detail))
                    .orElseGet(() -> strange(status, where));
        } catch (SkepException notAProblem) {
            return strange(status, where);
        }
    }

    private static SkepException strange(int status, String where) {
        return new SkepException(
                ErrorCode.HUB_UNREACHABLE,
                "%s answers %d and not as skep does; check the address".formatted(where, status));
    }
}
