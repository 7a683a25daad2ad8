package dev.skep.dispatch.routes;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.route.Request;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers that several routes share. */
final class DispatchResponses {
    static final int PAGE = 100;
    static final int LARGEST_PAGE = 1_000;

    private DispatchResponses() {}

    /**
     * Nothing of that name in the caller's org; the same text for invalid ids and for those of
     * others.
     */
    static SkepException no(String what, String id) {
        return new SkepException(
                ErrorCode.NOT_FOUND, "there is no %s %s; check the id".formatted(what, id));
    }

    static SkepException bad(String message) {
        return new SkepException(ErrorCode.BAD_REQUEST, message);
    }

    /** A parameter of the query, or what it was called before. */
    static Optional<String> named(Request request, String name, String earlier) {
        return request.query(name).or(() -> request.query(earlier));
    }

    static int limit(Request request) {
        return request.query("limit", PAGE, LARGEST_PAGE);
    }

    /** Where the next page begins if there may be one. */
    static <T> @Nullable String next(List<T> items, int limit, Function<T, String> id) {
        return items.size() == limit && !items.isEmpty() ? id.apply(items.getLast()) : null;
    }

    /** The calling host; routes for hosts admit only hosts and this process itself. */
    static Principal.Host host(Request request) {
        if (request.principal() instanceof Principal.Host host) {
            return host;
        }
        throw new SkepException(ErrorCode.FORBIDDEN, "only a host may ask this");
    }
}
