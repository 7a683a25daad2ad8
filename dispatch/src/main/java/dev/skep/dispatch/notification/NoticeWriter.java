package dev.skep.dispatch.notification;

import dev.skep.directory.host.HostNames;
import dev.skep.dispatch.alert.Alert;
import dev.skep.dispatch.alert.AlertKind;
import dev.skep.dispatch.alert.AlertListener;
import dev.skep.dispatch.alert.Channel;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.view.JobQueries;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts a reason before each person whose channel chose its kind, in the transaction that found it.
 */
public final class NoticeWriter implements AlertListener {
    private static final int LONGEST = 400;

    /** Ids of hosts, as messages have them. */
    private static final Pattern HOST =
            Pattern.compile("\\b[Hh]ost ([A-Za-z0-9][A-Za-z0-9_-]{1,63})\\b");

    private final WebhookStore webhooks;
    private final NoticeStore notices = new NoticeStore();
    private final UnaryOperator<String> redact;
    private final UlidSource ids;
    private final InstantSource clock;
    private final InstantSource steady;

    /**
     * Made and not listening yet.
     *
     * @param redact takes secrets out of a text that leaves this machine
     */
    public NoticeWriter(
            WebhookStore webhooks,
            UnaryOperator<String> redact,
            UlidSource ids,
            InstantSource clock,
            InstantSource steady) {
        this.webhooks = webhooks;
        this.redact = redact;
        this.ids = ids;
        this.clock = clock;
        this.steady = steady;
    }

    @Override
    public void raised(Transaction transaction, Alert alert, boolean open) {
        Optional<NotificationKind> kind = NotificationKind.of(alert.kind());
        if (kind.isEmpty()) {
            return;
        }
        List<Channel> chose =
                webhooks.channels(transaction, alert.org()).stream()
                        .filter(channel -> channel.webhook().tells(kind.get().label()))
                        .toList();
        if (chose.isEmpty()) {
            return;
        }
        String text = text(transaction, alert);
        for (Channel channel : chose) {
            notices.add(
                    transaction,
                    new Notice(
                            ids.next(),
                            alert.org(),
                            channel.webhook().id(),
                            kind.get(),
                            alert.subject(),
                            text,
                            open ? alert.id() : null,
                            0,
                            alert.at()),
                    steady.instant());
        }
    }

    /** Tells a person of mail, on the channels that chose it. */
    void mail(
            Transaction transaction,
            OrgId org,
            List<Channel> channels,
            MailForPeople.Arrived mail) {
        for (Channel channel : channels) {
            notices.add(
                    transaction,
                    new Notice(
                            ids.next(),
                            org,
                            channel.webhook().id(),
                            NotificationKind.MAIL,
                            "mail:" + mail.message(),
                            inShort("%s: %s".formatted(mail.from(), mail.subject())),
                            null,
                            0,
                            clock.instant()),
                    steady.instant());
        }
    }

    private String text(Snapshot snapshot, Alert alert) {
        String reason =
                alert.kind() == AlertKind.JOB_FAILED
                        ? JobQueries.inShort(
                                        snapshot,
                                        alert.org(),
                                        alert.subject().substring("job:".length()))
                                .orElse(alert.message())
                        : alert.message();
        Matcher host = HOST.matcher(reason);
        String named =
                host.replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        HostNames.of(
                                                        snapshot,
                                                        alert.org(),
                                                        new HostId(found.group(1)))
                                                .map(name -> "host " + name)
                                                .orElse(found.group())));
        return inShort(named);
    }

    /** One line without secrets and control characters: redacted before it is cut. */
    private String inShort(String text) {
        String line = redact.apply(text).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        if (line.length() <= LONGEST) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return line.substring(0, end) + "…";
    }
}
