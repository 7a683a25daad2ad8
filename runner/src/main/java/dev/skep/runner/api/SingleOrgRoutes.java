package dev.skep.runner.api;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.route.Route;
import java.util.List;

/** A runner belongs to one org; people of others who sign in to the same process see none. */
public final class SingleOrgRoutes {
    private SingleOrgRoutes() {}

    public static List<Route> only(OrgId org, List<Route> routes) {
        return routes.stream().map(route -> only(org, route)).toList();
    }

    private static Route only(OrgId org, Route route) {
        return route.handledBy(
                request -> {
                    if (!request.principal().org().equals(org)) {
                        throw new SkepException(
                                ErrorCode.NOT_FOUND,
                                "your org has no runner in this process; ask its own host");
                    }
                    return route.handler().answer(request);
                });
    }
}
