package dev.skep.supervisor.routes;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.Optional;
import java.util.function.Function;

/** Creates read-only routes: viewers of the org may call them unless stated otherwise. */
final class ViewRoute {
    private ViewRoute() {}

    static Route get(String path, Operation operation, Function<Request, Object> answer) {
        return get(path, operation, Role.VIEWER, answer);
    }

    static Route get(
            String path, Operation operation, Role atLeast, Function<Request, Object> answer) {
        return new Route(
                        HttpMethod.GET,
                        "/api/orgs/{org}/view" + path,
                        Access.operators(atLeast),
                        OrgScope.PATH,
                        request -> Response.json(answer.apply(request)))
                .described(operation);
    }

    /** One that answers a page of a long list. */
    static Operation paged(String summary) {
        return Operation.of(summary)
                .query("before", String.class, "next of the page before")
                .query("limit", int.class, "1 to 1000");
    }

    /** A source that this process has, or the reason why a page stays empty. */
    static <T> T present(Optional<T> source, String what) {
        return source.orElseThrow(
                () ->
                        new SkepException(
                                ErrorCode.NOT_FOUND,
                                "this process keeps no %s; look at a hub".formatted(what)));
    }

    static SkepException none(String what, String id) {
        return new SkepException(
                ErrorCode.NOT_FOUND, "there is no %s %s; check the id".formatted(what, id));
    }
}
