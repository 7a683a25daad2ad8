package dev.skep.dispatch.routes;

import dev.skep.directory.operator.Operator;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.notification.NotifiablePeople;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;

/** Whose notifications a request is about: everybody's own, whatever their role. */
final class NotificationCaller {
    static final String BASE = "/api/orgs/{org}/notifications";
    static final String CHANNEL = BASE + "/channels/{channel}";

    private final Database database;
    private final WebhookStore webhooks;
    private final NotifiablePeople people;

    NotificationCaller(Database database, WebhookStore webhooks, NotifiablePeople people) {
        this.database = database;
        this.webhooks = webhooks;
        this.people = people;
    }

    static Route route(HttpMethod method, String path, Route.Handler handler) {
        return new Route(method, path, Access.operators(Role.VIEWER), OrgScope.PATH, handler);
    }

    static Operation of(String summary) {
        return Operation.of(summary)
                .query(
                        "operator",
                        String.class,
                        "whose; admins can name another, local callers must");
    }

    /** The caller; the command line of this machine, and an admin, can name another person. */
    Operator person(Snapshot snapshot, Request request) {
        String id =
                switch (request.principal()) {
                    case Principal.Operator operator ->
                            request.query("operator")
                                    .map(other -> allowed(operator, other))
                                    .orElse(operator.id().value());
                    default ->
                            request.query("operator")
                                    .orElseThrow(
                                            () ->
                                                    DispatchResponses.bad(
                                                            "query 'operator' is missing: whose notifications?"));
                };
        return people.find(snapshot, request.org(), id)
                .orElseThrow(() -> DispatchResponses.no("operator", id));
    }

    private static String allowed(Principal.Operator caller, String other) {
        if (caller.role() != Role.ADMIN && !other.equals(caller.id().value())) {
            throw new SkepException(
                    ErrorCode.FORBIDDEN, "only an admin sees and changes what tells others");
        }
        return other;
    }

    Operator person(Request request) {
        return database.read(snapshot -> person(snapshot, request));
    }

    Webhook found(Snapshot snapshot, Request request) {
        String id = request.parameter("channel");
        return webhooks.channel(snapshot, request.org(), person(snapshot, request).id(), id)
                .orElseThrow(() -> DispatchResponses.no("channel", id));
    }
}
