package dev.skep.transport.openapi;

import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the description of every route of the process, from the table that answers them, so that
 * the two cannot differ.
 */
public final class OpenApi implements Route.Source {
    private final Supplier<List<Route>> table;
    private volatile @Nullable String written;

    public OpenApi(Supplier<List<Route>> table) {
        this.table = table;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.GET,
                                "/api/openapi.json",
                                Access.anyone(),
                                OrgScope.NONE,
                                this::show)
                        .described(Operation.of("This document.").answers(Object.class)));
    }

    /** Written once: any client may request it, and writing takes long. */
    private Response show(Request request) {
        String document = written;
        if (document == null) {
            document = Json.text(new OpenApiDocument().of(table.get()));
            written = document;
        }
        return Response.text(200, "application/json", document);
    }
}
