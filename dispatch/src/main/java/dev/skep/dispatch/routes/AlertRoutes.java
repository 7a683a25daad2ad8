package dev.skep.dispatch.routes;

import dev.skep.directory.secret.SealedSecrets;
import dev.skep.dispatch.alert.AlertDetails;
import dev.skep.dispatch.alert.AlertKind;
import dev.skep.dispatch.alert.AlertService;
import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliverySender;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.EventWebhooks;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookSignature;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.event.EventKind;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Sparse;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The routes of alerts, and of the webhooks that send them. */
public final class AlertRoutes implements Route.Source {
    private static final String WEBHOOKS = "/api/orgs/{org}/webhooks";
    private static final String ONE = WEBHOOKS + "/{webhook}";
    private static final String LAST = "~";

    private final Database database;
    private final AlertService alertService;
    private final AlertStore alerts;
    private final WebhookStore webhooks;
    private final DeliveryStore deliveries;
    private final DeliverySender sender;
    private final EventWebhooks forEvents;
    private final SealedSecrets secrets;
    private final AuditRecorder audit;
    private final Sources sources;

    /** What the machine gives. */
    public record Sources(UlidSource ids, InstantSource clock, SecureRandom random) {}

    public AlertRoutes(
            Database database,
            AlertService alertService,
            AlertStore alerts,
            WebhookStore webhooks,
            DeliveryStore deliveries,
            DeliverySender sender,
            EventWebhooks forEvents,
            SealedSecrets secrets,
            AuditRecorder audit,
            Sources sources) {
        this.database = database;
        this.alertService = alertService;
        this.alerts = alerts;
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.sender = sender;
        this.forEvents = forEvents;
        this.secrets = secrets;
        this.audit = audit;
        this.sources = sources;
    }

    @Override
    public List<Route> routes() {
        Access see = Access.operators(Role.VIEWER);
        Access admins = Access.operators(Role.ADMIN);
        return List.of(
                new Route(
                                HttpMethod.GET,
                                "/api/orgs/{org}/alerts",
                                see,
                                OrgScope.PATH,
                                this::alerts)
                        .described(
                                Operation.of("Alerts, newest first.")
                                        .query("before", String.class, "next of the page before")
                                        .query("limit", int.class, "1 to 1000, usually 100")
                                        .answers(AlertPage.class)),
                new Route(HttpMethod.GET, WEBHOOKS, admins, OrgScope.PATH, this::list)
                        .described(Operation.of("Webhooks.").answers(WebhookList.class)),
                new Route(HttpMethod.POST, WEBHOOKS, admins, OrgScope.PATH, this::create)
                        .described(
                                Operation.of("Adds a webhook; its secret is shown once.")
                                        .takes(NewWebhook.class)
                                        .creates(CreatedWebhook.class)),
                new Route(HttpMethod.DELETE, ONE, admins, OrgScope.PATH, this::delete)
                        .described(Operation.of("Removes a webhook.").answersNothing()),
                new Route(HttpMethod.POST, ONE + "/test", admins, OrgScope.PATH, this::test)
                        .described(
                                Operation.of("Sends a test message and answers with its outcome.")
                                        .answers(DeliveryStore.View.class)),
                new Route(
                                HttpMethod.GET,
                                ONE + "/deliveries",
                                admins,
                                OrgScope.PATH,
                                this::deliveries)
                        .described(
                                Operation.of("Its latest messages.")
                                        .query("limit", int.class, "1 to 1000, usually 100")
                                        .answers(DeliveryList.class)));
    }

    private record AlertPage(List<AlertDetails> alerts, @Nullable String next) implements Sparse {}

    private record WebhookList(List<Webhook> webhooks) {}

    private record NewWebhook(
            String kind, String name, String url, @Nullable List<String> topics) {}

    /**
     * A new webhook.
     *
     * @param secret what its messages are signed with, shown here and never again
     */
    private record CreatedWebhook(Webhook webhook, @Nullable String secret) implements Sparse {}

    private record DeliveryList(List<DeliveryStore.View> deliveries) {}

    private Response alerts(Request request) {
        int limit = DispatchResponses.limit(request);
        List<AlertDetails> page =
                database.read(
                        s ->
                                alerts.newest(
                                        s,
                                        request.org(),
                                        request.query("before").orElse(LAST),
                                        limit));
        return Response.json(
                new AlertPage(page, DispatchResponses.next(page, limit, AlertDetails::id)));
    }

    private Response list(Request request) {
        return Response.json(new WebhookList(database.read(s -> webhooks.all(s, request.org()))));
    }

    private Response create(Request request) {
        JsonFields fields = request.fields().only(NewWebhook.class);
        Webhook webhook =
                new Webhook(
                        sources.ids().next(),
                        kind(fields.text("kind")),
                        fields.text("name"),
                        url(fields.text("url")),
                        topics(fields.textList("topics")),
                        null,
                        sources.clock().instant());
        boolean signed = webhook.kind().isSigned();
        String secret = signed ? WebhookSignature.newSecret(sources.random()) : "";
        forEvents.changing(
                transaction -> {
                    webhooks.insert(
                            transaction,
                            request.org(),
                            webhook,
                            signed ? secrets.seal(secret, Webhook.label(webhook.id())) : null);
                    audit.record(
                            transaction,
                            request.actor(),
                            "webhook_created",
                            Webhook.label(webhook.id()),
                            Map.of("kind", webhook.kind().label(), "name", webhook.name()));
                    return webhook;
                });
        return Response.created(new CreatedWebhook(webhook, signed ? secret : null));
    }

    private Response delete(Request request) {
        String id = request.parameter("webhook");
        forEvents.changing(
                transaction -> {
                    if (!webhooks.delete(transaction, request.org(), id)) {
                        throw DispatchResponses.no("webhook", id);
                    }
                    audit.record(
                            transaction,
                            request.actor(),
                            "webhook_deleted",
                            Webhook.label(id),
                            Map.of());
                    return true;
                });
        return Response.done();
    }

    /** Answers after delivery: the operator wants to know whether it arrives. */
    private Response test(Request request) {
        return Response.json(
                sender.sendAtOnce(
                        transaction ->
                                alertService.test(
                                        transaction, request.org(), found(transaction, request))));
    }

    private Response deliveries(Request request) {
        return Response.json(
                new DeliveryList(
                        database.read(
                                s ->
                                        deliveries.latest(
                                                s,
                                                request.org(),
                                                found(s, request).id(),
                                                DispatchResponses.limit(request)))));
    }

    private Webhook found(Snapshot snapshot, Request request) {
        String id = request.parameter("webhook");
        return webhooks.find(snapshot, request.org(), id)
                .orElseThrow(() -> DispatchResponses.no("webhook", id));
    }

    private static Webhook.Kind kind(String text) {
        return Webhook.Kind.of(text)
                .orElseThrow(
                        () ->
                                DispatchResponses.bad(
                                        "kind must be "
                                                + String.join(" or ", Webhook.Kind.labels())));
    }

    private static String url(String text) {
        try {
            URI url = new URI(text);
            boolean web = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
            if (web && url.getHost() != null && url.getUserInfo() == null) {
                return text;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw DispatchResponses.bad("url must be an http or https address without a user name");
    }

    private static Set<String> topics(List<String> names) {
        Set<String> known = new TreeSet<>();
        Arrays.stream(AlertKind.values()).forEach(kind -> known.add(kind.name()));
        Arrays.stream(EventKind.values()).forEach(kind -> known.add(kind.label()));
        List<String> unknown = names.stream().filter(name -> !known.contains(name)).toList();
        if (!unknown.isEmpty()) {
            throw DispatchResponses.bad(
                    "there is no topic %s; topics are %s".formatted(unknown, known));
        }
        return new HashSet<>(names);
    }
}
