package dev.skep.directory.routes;

import dev.skep.directory.audit.AuditEntry;
import dev.skep.directory.audit.AuditFilter;
import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** The audit log: pages for people, all of it as lines of JSON for archives. */
public final class AuditRoutes implements Route.Source {
    private final Database database;
    private final AuditStore audit;

    public AuditRoutes(Database database, AuditStore audit) {
        this.database = database;
        this.audit = audit;
    }

    @Override
    public List<Route> routes() {
        Access admins = Access.operators(Role.ADMIN);
        return List.of(
                new Route(
                                HttpMethod.GET,
                                "/api/orgs/{org}/audit",
                                admins,
                                OrgScope.PATH,
                                this::page)
                        .described(
                                filtered(
                                                "Who did what, newest first; filtered by actor, action, target and time.")
                                        .query("before", String.class, "id of the last known entry")
                                        .query("limit", int.class, "1 to 1000, usually 100")
                                        .answers(AuditPage.class)),
                new Route(
                                HttpMethod.GET,
                                "/api/orgs/{org}/audit.ndjson",
                                admins,
                                OrgScope.PATH,
                                this::export)
                        .described(
                                filtered("The same, all of it, one JSON object a line.")
                                        .answersText("application/x-ndjson")));
    }

    private static Operation filtered(String summary) {
        return Operation.of(summary)
                .query("actor", String.class, "only of this actor")
                .query("action", String.class, "only this action")
                .query("target", String.class, "only about this")
                .query("since", Instant.class, "not before this time")
                .query("until", Instant.class, "before this time");
    }

    private record AuditPage(List<AuditEntry> entries) {}

    private Response page(Request request) {
        int limit = request.query("limit", 100, 1_000);
        List<AuditEntry> entries =
                database.read(
                        s ->
                                audit.newest(
                                        s,
                                        request.principal(),
                                        filter(request),
                                        request.query("before"),
                                        limit));
        return Response.json(new AuditPage(entries));
    }

    private Response export(Request request) {
        AuditFilter filter = filter(request);
        return Response.streamed(
                "application/x-ndjson",
                out ->
                        database.read(
                                snapshot -> {
                                    OutputStream lines = new BufferedOutputStream(out, 1 << 16);
                                    audit.each(
                                            snapshot,
                                            request.principal(),
                                            filter,
                                            entry -> write(lines, entry));
                                    flush(lines);
                                    return filter;
                                }));
    }

    private static void write(OutputStream out, AuditEntry entry) {
        try {
            out.write(Json.bytes(entry));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void flush(OutputStream out) {
        try {
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AuditFilter filter(Request request) {
        return new AuditFilter(
                request.query("actor"),
                request.query("action"),
                request.query("target"),
                time(request, "since"),
                time(request, "until"));
    }

    private static Optional<Instant> time(Request request, String name) {
        try {
            return request.query(name).map(Instant::parse);
        } catch (DateTimeParseException e) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "query '%s' must be a time like 2026-11-15T08:00:00Z".formatted(name));
        }
    }
}
