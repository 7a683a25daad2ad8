package dev.skep.dispatch.routes;

import dev.skep.directory.operator.Operator;
import dev.skep.dispatch.alert.DeliverySender;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.notification.NotifiablePeople;
import dev.skep.dispatch.notification.Notifier;
import dev.skep.dispatch.notification.PageMessages;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What became of the messages to a person, and those that their open pages show. */
public final class NotificationMessageRoutes implements Route.Source {
    private static final int TESTS_A_MINUTE = 6;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(25);
    private static final Duration FOR_A_TEST = Duration.ofSeconds(10);

    private final Database database;
    private final NotificationCaller caller;
    private final Parts parts;
    private final InstantSource clock;

    /** What it asks and changes. */
    public record Parts(
            WebhookStore webhooks,
            DeliveryStore deliveries,
            DeliverySender sender,
            Notifier notifier,
            PageMessages pages,
            NotifiablePeople people) {}

    public NotificationMessageRoutes(Database database, Parts parts, InstantSource clock) {
        this.database = database;
        this.caller = new NotificationCaller(database, parts.webhooks(), parts.people());
        this.parts = parts;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                NotificationCaller.route(
                                HttpMethod.POST, NotificationCaller.CHANNEL + "/test", this::test)
                        .described(
                                NotificationCaller.of(
                                                "Sends a test and answers with what the other side said.")
                                        .answers(NotificationMessage.class)),
                NotificationCaller.route(
                                HttpMethod.GET,
                                NotificationCaller.BASE + "/deliveries",
                                this::deliveries)
                        .described(
                                NotificationCaller.of(
                                                "The latest messages to the caller, newest first.")
                                        .query(
                                                "of",
                                                String.class,
                                                "everybody, for admins: without what they say")
                                        .query("limit", int.class, "1 to 1000, usually 100")
                                        .answers(NotificationList.class)),
                NotificationCaller.route(
                                HttpMethod.GET, NotificationCaller.BASE + "/new", this::news)
                        .described(
                                NotificationCaller.of(
                                                "What open pages of the caller should show, once there is more than the last.")
                                        .query("last", String.class, "the id of the last one")
                                        .query("wait", int.class, "seconds, 1 to 25")
                                        .answers(PageMessageList.class)),
                NotificationCaller.route(
                                HttpMethod.POST, NotificationCaller.BASE + "/shown", this::shown)
                        .described(
                                NotificationCaller.of("Says that a page showed a message.")
                                        .takes(ShownMessage.class)
                                        .answersNothing()));
    }

    private record NotificationList(List<NotificationMessage> deliveries) {}

    private record PageMessageList(List<PageMessage> messages) {}

    private record ShownMessage(String id) {}

    /** Answers once the other side did, or once a page of the person showed it. */
    private Response test(Request request) {
        Webhook channel = database.read(snapshot -> testable(snapshot, request));
        if (channel.kind() != Webhook.Kind.BROWSER) {
            return Response.json(
                    NotificationMessage.of(
                            parts.sender()
                                    .sendAtOnce(
                                            tx ->
                                                    parts.notifier()
                                                            .test(tx, request.org(), channel)),
                            channel));
        }
        String id = database.write(tx -> parts.notifier().test(tx, request.org(), channel));
        parts.pages().wake();
        try {
            return Response.json(
                    NotificationMessage.of(parts.pages().awaitShown(id, FOR_A_TEST), channel));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "the hub stops; try again", e);
        }
    }

    /** A channel that was not tested too often: addresses are of whomever its person named. */
    private Webhook testable(Snapshot snapshot, Request request) {
        Webhook channel = caller.found(snapshot, request);
        Instant since = clock.instant().minus(Duration.ofMinutes(1));
        long tests =
                parts
                        .deliveries()
                        .latest(snapshot, request.org(), channel.id(), TESTS_A_MINUTE)
                        .stream()
                        .filter(each -> each.topic().equals(Notifier.TEST))
                        .filter(each -> each.createdAt().isAfter(since))
                        .count();
        if (tests >= TESTS_A_MINUTE) {
            throw new SkepException(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "this channel was tested %d times within a minute; wait for one"
                            .formatted(tests));
        }
        return channel;
    }

    /** A message as people see it. */
    private record NotificationMessage(
            String id,
            @Nullable String operator,
            String channel,
            String kind,
            String topic,
            @Nullable String title,
            String state,
            String outcome,
            int tries,
            @Nullable Integer lastStatus,
            @Nullable String lastError,
            Instant createdAt,
            @Nullable Instant doneAt) {
        static NotificationMessage of(DeliveryStore.View view, Webhook channel) {
            return of(view, null, channel.name(), channel.kind().label());
        }

        static NotificationMessage of(
                DeliveryStore.View view, @Nullable String operator, String channel, String kind) {
            return new NotificationMessage(
                    view.id(),
                    operator,
                    channel,
                    kind,
                    view.topic(),
                    view.title(),
                    view.state(),
                    view.outcome(),
                    view.tries(),
                    view.lastStatus(),
                    view.lastError(),
                    view.createdAt(),
                    view.doneAt());
        }
    }

    /** One's own; an admin can ask for everybody's, without what the messages say. */
    private Response deliveries(Request request) {
        int limit = DispatchResponses.limit(request);
        if (request.query("of").filter("everybody"::equals).isEmpty()) {
            Operator person = caller.person(request);
            return messages(
                    database.read(
                            s ->
                                    parts
                                            .deliveries()
                                            .latestTo(s, request.org(), person.id(), limit)
                                            .stream()
                                            .map(
                                                    each ->
                                                            NotificationMessage.of(
                                                                    each.message(),
                                                                    person.username(),
                                                                    each.channel(),
                                                                    each.kind()))
                                            .toList()));
        }
        requireAdmin(request);
        return messages(database.read(snapshot -> ofEverybody(snapshot, request.org(), limit)));
    }

    private static void requireAdmin(Request request) {
        if (request.principal() instanceof Principal.Operator operator
                && operator.role() != Role.ADMIN) {
            throw new SkepException(ErrorCode.FORBIDDEN, "only an admin sees what others are told");
        }
    }

    private static Response messages(List<NotificationMessage> deliveries) {
        return Response.json(new NotificationList(deliveries));
    }

    private List<NotificationMessage> ofEverybody(Snapshot snapshot, OrgId org, int limit) {
        Map<String, String> names = new TreeMap<>();
        parts.people().all(snapshot, org).forEach(o -> names.put(o.id(), o.username()));
        return parts.deliveries().latestToPeople(snapshot, org, limit).stream()
                .map(
                        each ->
                                NotificationMessage.of(
                                        withoutTitle(each.message()),
                                        names.getOrDefault(each.operator(), each.operator()),
                                        each.channel(),
                                        each.kind()))
                .toList();
    }

    private static DeliveryStore.View withoutTitle(DeliveryStore.View view) {
        return new DeliveryStore.View(
                view.id(),
                view.topic(),
                null,
                view.state(),
                view.tries(),
                view.lastStatus(),
                view.lastError(),
                view.createdAt(),
                view.doneAt());
    }

    /** A message for a page; its body is what a signed webhook would receive. */
    private record PageMessage(String id, @Nullable Object message) {}

    private Response news(Request request) {
        Operator person = caller.person(request);
        int seconds = request.query("wait", 1, (int) LONGEST_WAIT.toSeconds());
        try {
            return Response.json(
                    new PageMessageList(
                            parts
                                    .pages()
                                    .await(
                                            request.org(),
                                            person.id(),
                                            request.query("last").orElse(""),
                                            Duration.ofSeconds(seconds))
                                    .stream()
                                    .map(each -> new PageMessage(each.id(), raw(each.body())))
                                    .toList()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "the hub stops; ask again", e);
        }
    }

    private static @Nullable Object raw(String body) {
        return Json.raw(body);
    }

    private Response shown(Request request) {
        String id = request.body(ShownMessage.class).id();
        Operator person = caller.person(request);
        parts.pages().shown(request.org(), person.id(), id);
        return Response.done();
    }
}
