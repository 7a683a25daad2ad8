package dev.skep.dispatch.routes;

import dev.skep.directory.operator.Operator;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.dispatch.alert.DeliverySender;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookSignature;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.mailserver.MailServer;
import dev.skep.dispatch.mailserver.MailServerStore;
import dev.skep.dispatch.notification.NotificationKind;
import dev.skep.dispatch.notification.Notifier;
import dev.skep.dispatch.notification.PageMessages;
import dev.skep.dispatch.notification.People;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Sparse;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What tells a person: their channels, what each tells, and what became of the messages. */
public final class NotificationRoutes implements Route.Source {
    private static final String BASE = "/api/orgs/{org}/notifications";
    private static final String CHANNELS = BASE + "/channels";
    private static final String CHANNEL = CHANNELS + "/{channel}";
    private static final int MOST_CHANNELS = 20;
    private static final int LONGEST_NAME = 60;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(25);
    private static final Duration FOR_A_TEST = Duration.ofSeconds(10);

    private final Database database;
    private final Parts parts;
    private final SealedSecrets secrets;
    private final AuditRecorder audit;
    private final UlidSource ids;
    private final InstantSource clock;
    private final SecureRandom random;

    /** What it asks and changes. */
    public record Parts(
            WebhookStore webhooks,
            DeliveryStore deliveries,
            DeliverySender sender,
            Notifier notifier,
            PageMessages pages,
            People people,
            MailServerStore mailServers) {}

    public NotificationRoutes(
            Database database,
            Parts parts,
            SealedSecrets secrets,
            AuditRecorder audit,
            AlertRoutes.Sources sources) {
        this.database = database;
        this.parts = parts;
        this.secrets = secrets;
        this.audit = audit;
        this.ids = sources.ids();
        this.clock = sources.clock();
        this.random = sources.random();
    }

    @Override
    public List<Route> routes() {
        return List.of(
                route(HttpMethod.GET, BASE, this::show)
                        .described(
                                of("What tells the caller: kinds of notifications, and their channels.")
                                        .answers(NotificationChoice.class)),
                route(HttpMethod.POST, CHANNELS, this::add)
                        .described(
                                of("Adds a channel; the secret of a signed webhook is shown once.")
                                        .takes(NewChannel.class)
                                        .creates(CreatedChannel.class)),
                route(HttpMethod.PATCH, CHANNEL, this::change)
                        .described(
                                of("Chooses the kinds that it tells; one that was stopped goes on.")
                                        .takes(ChosenKinds.class)
                                        .answers(ChannelView.class)),
                route(HttpMethod.DELETE, CHANNEL, this::remove)
                        .described(
                                of("Removes a channel with its messages.").answersNothing()),
                route(HttpMethod.POST, CHANNEL + "/test", this::test)
                        .described(
                                of("Sends a test and answers with what the other side said.")
                                        .answers(NotificationMessage.class)),
                route(HttpMethod.GET, BASE + "/deliveries", this::deliveries)
                        .described(
                                of("The latest messages to the caller, newest first.")
                                        .query(
                                                "of",
                                                String.class,
                                                "everybody, for admins: without what they say")
                                        .query("limit", int.class, "1 to 1000, usually 100")
                                        .answers(NotificationList.class)),
                route(HttpMethod.GET, BASE + "/new", this::news)
                        .described(
                                of("What open pages of the caller should show, once there is more than the last.")
                                        .query("last", String.class, "the id of the last one")
                                        .query("wait", int.class, "seconds, 1 to 25")
                                        .answers(PageMessageList.class)),
                route(HttpMethod.POST, BASE + "/shown", this::shown)
                        .described(
                                of("Says that a page showed a message.")
                                        .takes(ShownMessage.class)
                                        .answersNothing()));
    }

    private static Operation of(String summary) {
        return Operation.of(summary)
                .query("operator", String.class, "whose; admins can name another, local callers must");
    }

    /**
     * A new channel.
     *
     * @param kind email, slack, discord, generic or browser
     * @param to an address or a URL; not for browsers
     * @param kinds what it tells; the usual if missing
     */
    private record NewChannel(
            String kind,
            @Nullable String name,
            @Nullable String to,
            @Nullable List<String> kinds) {}

    /**
     * What was added.
     *
     * @param secret what its messages are signed with, shown here and never again
     */
    private record CreatedChannel(ChannelView channel, @Nullable String secret)
            implements Sparse {}

    private record ChosenKinds(List<String> kinds) {}

    private record NotificationList(List<NotificationMessage> deliveries) {}

    private record PageMessageList(List<PageMessage> messages) {}

    private record ShownMessage(String id) {}

    /** Everybody for themselves, whatever their role. */
    private static Route route(HttpMethod method, String path, Route.Handler handler) {
        return new Route(method, path, Access.operators(Role.VIEWER), OrgScope.PATH, handler);
    }

    /** The caller; the command line of this machine, and an admin, can name another person. */
    private Operator person(Snapshot snapshot, Request request) {
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
        return parts.people()
                .find(snapshot, request.org(), id)
                .orElseThrow(() -> DispatchResponses.no("operator", id));
    }

    private static String allowed(Principal.Operator caller, String other) {
        if (caller.role() != Role.ADMIN && !other.equals(caller.id().value())) {
            throw new SkepException(
                    ErrorCode.FORBIDDEN, "only an admin sees and changes what tells others");
        }
        return other;
    }

    private Operator person(Request request) {
        return database.read(snapshot -> person(snapshot, request));
    }

    /** A channel as its person sees it. */
    private record ChannelView(
            String id,
            String kind,
            String name,
            String to,
            List<String> kinds,
            @Nullable String disabledReason,
            Instant createdAt) {
        static ChannelView of(Webhook webhook) {
            return new ChannelView(
                    webhook.id(),
                    webhook.kind().label(),
                    webhook.name(),
                    webhook.url(),
                    Arrays.stream(NotificationKind.values())
                            .map(NotificationKind::label)
                            .filter(webhook.topics()::contains)
                            .toList(),
                    webhook.disabledReason(),
                    webhook.createdAt());
        }
    }

    /** A kind as people choose it. */
    private record NotificationKindView(String kind, String title, boolean usual) {}

    private record NotificationChoice(
            String operator, List<NotificationKindView> kinds, List<ChannelView> channels, boolean canMail) {}

    private Response show(Request request) {
        return Response.json(
                database.read(
                        snapshot -> {
                            Operator person = person(snapshot, request);
                            return new NotificationChoice(
                                    person.username(),
                                    Arrays.stream(NotificationKind.values())
                                            .map(
                                                    kind ->
                                                            new NotificationKindView(
                                                                    kind.label(),
                                                                    kind.title(),
                                                                    kind.isUsual()))
                                            .toList(),
                                    parts
                                            .webhooks()
                                            .channels(snapshot, request.org(), person.id())
                                            .stream()
                                            .map(ChannelView::of)
                                            .toList(),
                                    parts.mailServers().find(snapshot, request.org()).isPresent());
                        }));
    }

    private Response add(Request request) {
        NewChannel wanted = request.body(NewChannel.class);
        Webhook.Kind kind = kind(wanted.kind());
        Set<String> kinds = wanted.kinds() == null ? usual() : kinds(wanted.kinds());
        String id = ids.next();
        String to = target(kind, Objects.requireNonNullElse(wanted.to(), ""));
        String secret =
                switch (kind) {
                    case GENERIC -> WebhookSignature.newSecret(random);
                    case DISCORD, SLACK -> to;
                    case EMAIL, BROWSER -> null;
                };
        Webhook channel =
                new Webhook(
                        id,
                        kind,
                        name(wanted.name(), kind),
                        kind.hasSecretUrl() ? SecretUrl.shown(to) : to,
                        kinds,
                        null,
                        clock.instant());
        database.write(
                transaction -> {
                    Operator person = person(transaction, request);
                    List<Webhook> all =
                            parts.webhooks().channels(transaction, request.org(), person.id());
                    if (all.size() >= MOST_CHANNELS) {
                        throw new SkepException(
                                ErrorCode.CONFLICT,
                                "there are %d channels already; remove one".formatted(all.size()));
                    }
                    if (kind == Webhook.Kind.BROWSER
                            && all.stream().anyMatch(c -> c.kind() == Webhook.Kind.BROWSER)) {
                        throw new SkepException(
                                ErrorCode.CONFLICT,
                                "there is a channel for browsers already; it counts for all of them");
                    }
                    parts.webhooks()
                            .insert(
                                    transaction,
                                    request.org(),
                                    person.id(),
                                    channel,
                                    secret == null
                                            ? null
                                            : secrets.seal(secret, Webhook.label(id)));
                    audit.record(
                            transaction,
                            request.actor(),
                            "channel_added",
                            Webhook.label(id),
                            Map.of("kind", kind.label(), "operator", person.username()));
                    return true;
                });
        return Response.created(
                new CreatedChannel(
                        ChannelView.of(channel), kind == Webhook.Kind.GENERIC ? secret : null));
    }

    private Response change(Request request) {
        Set<String> kinds = kinds(request.body(ChosenKinds.class).kinds());
        return Response.json(
                database.write(
                        transaction -> {
                            Webhook found = found(transaction, request);
                            parts.webhooks()
                                    .choose(transaction, found.id(), kinds, clock.instant());
                            audit.record(
                                    transaction,
                                    request.actor(),
                                    "channel_changed",
                                    Webhook.label(found.id()),
                                    Map.of("kinds", String.join(",", kinds)));
                            return ChannelView.of(found(transaction, request));
                        }));
    }

    private Response remove(Request request) {
        database.write(
                transaction -> {
                    Webhook found = found(transaction, request);
                    parts.webhooks().delete(transaction, request.org(), found.id());
                    audit.record(
                            transaction,
                            request.actor(),
                            "channel_removed",
                            Webhook.label(found.id()),
                            Map.of("kind", found.kind().label()));
                    return true;
                });
        return Response.done();
    }

    /** Answers once the other side did, or once a page of the person showed it. */
    private Response test(Request request) {
        Webhook channel = database.read(snapshot -> found(snapshot, request));
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
            return Response.json(NotificationMessage.of(parts.pages().awaitShown(id, FOR_A_TEST), channel));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "the hub stops; try again", e);
        }
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
            Operator person = person(request);
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
        Operator person = person(request);
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
        Operator person = person(request);
        parts.pages().shown(request.org(), person.id(), id);
        return Response.done();
    }

    private Webhook found(Snapshot snapshot, Request request) {
        String id = request.parameter("channel");
        return parts.webhooks()
                .channel(snapshot, request.org(), person(snapshot, request).id(), id)
                .orElseThrow(() -> DispatchResponses.no("channel", id));
    }

    private static Webhook.Kind kind(String text) {
        return Webhook.Kind.of(text)
                .orElseThrow(
                        () ->
                                DispatchResponses.bad(
                                        "kind must be email, slack, discord, generic or browser"));
    }

    private static String name(@Nullable String wanted, Webhook.Kind kind) {
        String name = wanted == null || wanted.isBlank() ? kind.label() : wanted;
        if (name.length() > LONGEST_NAME) {
            throw DispatchResponses.bad(
                    "name must have at most %d characters".formatted(LONGEST_NAME));
        }
        return name.strip();
    }

    private static String target(Webhook.Kind kind, String to) {
        if (kind == Webhook.Kind.BROWSER) {
            return "";
        }
        if (kind != Webhook.Kind.EMAIL) {
            return SecretUrl.checked(kind, "to", to);
        }
        if (!MailServer.isAddress(to)) {
            throw DispatchResponses.bad("to must be an e-mail address, such as lena@example.org");
        }
        return to;
    }

    private static Set<String> usual() {
        Set<String> usual = new TreeSet<>();
        Arrays.stream(NotificationKind.values())
                .filter(NotificationKind::isUsual)
                .forEach(kind -> usual.add(kind.label()));
        return usual;
    }

    private static Set<String> kinds(List<String> names) {
        if (names.stream().anyMatch(name -> NotificationKind.of(name).isEmpty())) {
            throw DispatchResponses.bad(
                    "kinds must be a list of %s".formatted(NotificationKind.labels()));
        }
        return new TreeSet<>(names);
    }
}
