package dev.skep.dispatch.routes;

import dev.skep.directory.operator.Operator;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookSignature;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.mailserver.MailServer;
import dev.skep.dispatch.mailserver.MailServerStore;
import dev.skep.dispatch.notification.NotifiablePeople;
import dev.skep.dispatch.notification.NotificationKind;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.transport.describe.Sparse;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What tells a person: their channels, and what each tells. */
public final class NotificationRoutes implements Route.Source {
    private static final String CHANNELS = NotificationCaller.BASE + "/channels";
    private static final int MOST_CHANNELS = 20;
    private static final int LONGEST_NAME = 60;

    private final Database database;
    private final NotificationCaller caller;
    private final WebhookStore webhooks;
    private final MailServerStore mailServers;
    private final SealedSecrets secrets;
    private final AuditRecorder audit;
    private final UlidSource ids;
    private final InstantSource clock;
    private final SecureRandom random;

    public NotificationRoutes(
            Database database,
            WebhookStore webhooks,
            NotifiablePeople people,
            MailServerStore mailServers,
            SealedSecrets secrets,
            AuditRecorder audit,
            AlertRoutes.Sources sources) {
        this.database = database;
        this.caller = new NotificationCaller(database, webhooks, people);
        this.webhooks = webhooks;
        this.mailServers = mailServers;
        this.secrets = secrets;
        this.audit = audit;
        this.ids = sources.ids();
        this.clock = sources.clock();
        this.random = sources.random();
    }

    @Override
    public List<Route> routes() {
        return List.of(
                NotificationCaller.route(HttpMethod.GET, NotificationCaller.BASE, this::show)
                        .described(
                                NotificationCaller.of(
                                                "What tells the caller: kinds of notifications, and their channels.")
                                        .answers(NotificationChoice.class)),
                NotificationCaller.route(HttpMethod.POST, CHANNELS, this::add)
                        .described(
                                NotificationCaller.of(
                                                "Adds a channel; the secret of a signed webhook is shown once.")
                                        .takes(NewChannel.class)
                                        .creates(CreatedChannel.class)),
                NotificationCaller.route(HttpMethod.PATCH, NotificationCaller.CHANNEL, this::change)
                        .described(
                                NotificationCaller.of(
                                                "Chooses the kinds that it tells; one that was stopped goes on.")
                                        .takes(ChosenKinds.class)
                                        .answers(ChannelView.class)),
                NotificationCaller.route(
                                HttpMethod.DELETE, NotificationCaller.CHANNEL, this::remove)
                        .described(
                                NotificationCaller.of("Removes a channel with its messages.")
                                        .answersNothing()));
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
    private record CreatedChannel(ChannelView channel, @Nullable String secret) implements Sparse {}

    private record ChosenKinds(List<String> kinds) {}

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
            String operator,
            List<NotificationKindView> kinds,
            List<ChannelView> channels,
            boolean canMail) {}

    private Response show(Request request) {
        return Response.json(
                database.read(
                        snapshot -> {
                            Operator person = caller.person(snapshot, request);
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
                                    webhooks.channels(snapshot, request.org(), person.id()).stream()
                                            .map(ChannelView::of)
                                            .toList(),
                                    mailServers.find(snapshot, request.org()).isPresent());
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
                    Operator person = caller.person(transaction, request);
                    List<Webhook> all = webhooks.channels(transaction, request.org(), person.id());
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
                    webhooks.insert(
                            transaction,
                            request.org(),
                            person.id(),
                            channel,
                            secret == null ? null : secrets.seal(secret, Webhook.label(id)));
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
                            Webhook found = caller.found(transaction, request);
                            webhooks.choose(transaction, found.id(), kinds, clock.instant());
                            audit.record(
                                    transaction,
                                    request.actor(),
                                    "channel_changed",
                                    Webhook.label(found.id()),
                                    Map.of("kinds", String.join(",", kinds)));
                            return ChannelView.of(caller.found(transaction, request));
                        }));
    }

    private Response remove(Request request) {
        database.write(
                transaction -> {
                    Webhook found = caller.found(transaction, request);
                    webhooks.delete(transaction, request.org(), found.id());
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
