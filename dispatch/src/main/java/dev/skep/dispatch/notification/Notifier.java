package dev.skep.dispatch.notification;

import dev.skep.directory.operator.Operator;
import dev.skep.dispatch.alert.CardLinks;
import dev.skep.dispatch.alert.Channel;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.Digest;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Makes one message of all notices of a channel when their time has come, and notices of mail that
 * arrived. Every process of a hub does this; a notice ends in one message all the same.
 */
public final class Notifier {
    /** How long a page of the person has to show a message. */
    public static final Duration FOR_PAGES = Duration.ofMinutes(5);

    /** The topic of a message that only says that its channel works. */
    public static final String TEST = "test";

    private static final int PAGE = 200;

    private final Database database;
    private final WebhookStore webhooks;
    private final DeliveryStore deliveries;
    private final NoticeStore notices = new NoticeStore();
    private final NoticeWriter writer;
    private final NotifiablePeople people;
    private final CardLinks links;
    private final UlidSource ids;
    private final InstantSource clock;
    private final InstantSource steady;

    public Notifier(
            Database database,
            WebhookStore webhooks,
            DeliveryStore deliveries,
            NoticeWriter writer,
            NotifiablePeople people,
            CardLinks links,
            UlidSource ids,
            InstantSource clock,
            InstantSource steady) {
        this.database = database;
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.writer = writer;
        this.people = people;
        this.links = links;
        this.ids = ids;
        this.clock = clock;
        this.steady = steady;
    }

    /** Makes the messages that are due; returns how many. */
    public int tell() {
        Instant now = steady.instant();
        int told = 0;
        for (NoticeStore.Pending each : database.read(notices::pending)) {
            if (!GroupingRules.due(each.kind(), each.since(), each.told()).isAfter(now)) {
                told += database.write(transaction -> tell(transaction, each, now)) ? 1 : 0;
            }
        }
        return told;
    }

    private boolean tell(Transaction transaction, NoticeStore.Pending pending, Instant now) {
        Optional<Webhook> channel =
                webhooks.channel(transaction, pending.org(), pending.operator(), pending.channel());
        boolean wanted =
                channel.filter(found -> found.disabledReason() == null).isPresent()
                        && people.find(transaction, pending.org(), pending.operator()).isPresent();
        if (!wanted) {
            notices.forget(transaction, pending.channel());
            return false;
        }
        notices.dropOver(transaction, pending.channel());
        if (!notices.isAny(transaction, pending.channel())
                || !webhooks.tellNow(
                        transaction, pending.channel(), now.minus(GroupingRules.APART), now)) {
            return false;
        }
        List<Notice> taken = notices.take(transaction, pending.channel());
        if (taken.isEmpty()) {
            return false;
        }
        send(transaction, channel.get(), digest(pending.org(), taken), GroupingRules.topic(taken));
        return true;
    }

    private Digest digest(OrgId org, List<Notice> taken) {
        List<Digest.Item> items =
                taken.stream().limit(GroupingRules.SHOWN).map(this::item).toList();
        return new Digest(
                ids.next(),
                org,
                GroupingRules.title(taken),
                items,
                GroupingRules.more(taken, items),
                clock.instant());
    }

    private Digest.Item item(Notice notice) {
        return new Digest.Item(
                notice.kind().label(),
                notice.kind().title(),
                notice.subject(),
                notice.text(),
                links.of(notice.subject()),
                notice.at());
    }

    private void send(Transaction transaction, Webhook channel, Digest digest, String topic) {
        deliveries.insert(
                transaction,
                digest.id(),
                digest.org(),
                channel.id(),
                topic,
                digest.title(),
                channel.kind().bodyOf(digest),
                // Pages ask for it; if none did by then, it is given up.
                channel.kind() == Webhook.Kind.BROWSER
                        ? steady.instant().plus(FOR_PAGES)
                        : Instant.EPOCH,
                digest.at());
    }

    /** Writes a message that only says that the channel works; returns its id. */
    public String test(Transaction transaction, OrgId org, Webhook channel) {
        String text = "This is a test of the channel " + channel.name() + ".";
        String subject = "channel:" + channel.id();
        Instant now = clock.instant();
        Digest.Item item = new Digest.Item(TEST, "Test", subject, text, links.of(subject), now);
        Digest digest = new Digest(ids.next(), org, text, List.of(item), 0, now);
        send(transaction, channel, digest, TEST);
        return digest.id();
    }

    /** Notices mail to people that was stored since the last look; returns how many messages. */
    public int lookForMail(MailForPeople mail, List<OrgId> orgs) {
        return orgs.stream().mapToInt(org -> lookForMail(mail, org)).sum();
    }

    private int lookForMail(MailForPeople mail, OrgId org) {
        String of = "mail:" + org.value();
        Optional<Long> position = database.read(snapshot -> notices.position(snapshot, of));
        if (position.isEmpty()) {
            // What is there already was there before anybody could choose to be told of it.
            return database.write(
                    transaction -> {
                        notices.move(transaction, of, position, mail.newest(transaction, org));
                        return 0;
                    });
        }
        int all = 0;
        int some = PAGE;
        while (some == PAGE) {
            some = isAnyAfter(mail, org, of) ? page(mail, org, of) : 0;
            all += some;
        }
        return all;
    }

    private boolean isAnyAfter(MailForPeople mail, OrgId org, String of) {
        return database.read(
                snapshot ->
                        !mail.after(snapshot, org, notices.position(snapshot, of).orElse(0L), 1)
                                .isEmpty());
    }

    private int page(MailForPeople mail, OrgId org, String of) {
        return database.write(
                transaction -> {
                    Optional<Long> from = notices.position(transaction, of);
                    List<MailForPeople.Arrived> arrived =
                            mail.after(transaction, org, from.orElse(0L), PAGE);
                    if (arrived.isEmpty()
                            || !notices.move(transaction, of, from, arrived.getLast().position())) {
                        return 0;
                    }
                    Map<String, List<Channel>> chose =
                            webhooks.channels(transaction, org).stream()
                                    .filter(
                                            each ->
                                                    each.webhook()
                                                            .tells(NotificationKind.MAIL.label()))
                                    .collect(Collectors.groupingBy(Channel::operator));
                    for (MailForPeople.Arrived each : arrived) {
                        people.find(transaction, org, each.username())
                                .map(Operator::id)
                                .map(chose::get)
                                .ifPresent(
                                        channels -> writer.mail(transaction, org, channels, each));
                    }
                    return arrived.size();
                });
    }
}
