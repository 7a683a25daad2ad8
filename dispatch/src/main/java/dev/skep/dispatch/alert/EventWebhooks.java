package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.event.EventRecipients;
import dev.skep.dispatch.event.OrgEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * Puts events on their way to the webhooks that chose them, once, in the transaction that gives
 * them their places. The backlog of a slow webhook is bounded; its deliveries show where events
 * were left out.
 */
public final class EventWebhooks implements EventRecipients {
    /** How many messages may wait for one webhook before events are left out. */
    static final int WAITING = 1_000;

    /** How many messages of a webhook for events are kept, including finished ones. */
    private static final int KEPT = 2_000;

    private final Database database;
    private final WebhookStore webhooks;
    private final DeliveryStore deliveries;
    private final EventPublisher eventPublisher;
    private final UlidSource ids;
    private final InstantSource clock;

    public EventWebhooks(
            Database database,
            WebhookStore webhooks,
            DeliveryStore deliveries,
            EventPublisher eventPublisher,
            UlidSource ids,
            InstantSource clock) {
        this.database = database;
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.eventPublisher = eventPublisher;
        this.ids = ids;
        this.clock = clock;
    }

    /**
     * Changes webhooks; from its commit on, events are noted if one wants them. One change at a
     * time, so that none undoes what another found.
     */
    public synchronized <T> T changing(Database.Work<Transaction, T> change) {
        eventPublisher.setWanted(true);
        try {
            return database.write(change);
        } finally {
            refreshInterest();
        }
    }

    /** Checks whether any webhook wants events. */
    public synchronized void refreshInterest() {
        eventPublisher.setWanted(database.read(webhooks::isAnyForEvents));
    }

    @Override
    public void placed(Transaction transaction, OrgId org, Supplier<List<OrgEvent>> events) {
        for (Webhook webhook : webhooks.all(transaction, org)) {
            if (webhook.wantsEvents()) {
                List<OrgEvent> wanted =
                        events.get().stream().filter(e -> webhook.wants(e.type())).toList();
                if (!wanted.isEmpty()) {
                    send(transaction, org, webhook, wanted);
                }
            }
        }
    }

    private void send(Transaction transaction, OrgId org, Webhook webhook, List<OrgEvent> wanted) {
        Instant now = clock.instant();
        int room = Math.max(0, WAITING - deliveries.waiting(transaction, webhook.id()));
        for (OrgEvent event : wanted.subList(0, Math.min(room, wanted.size()))) {
            deliveries.insert(
                    transaction,
                    ids.next(),
                    org,
                    webhook.id(),
                    event.type(),
                    null,
                    webhook.kind().format().of(org, event),
                    now);
        }
        if (wanted.size() > room) {
            deliveries.leaveOut(
                    transaction,
                    ids.next(),
                    org,
                    webhook.id(),
                    "events were left out: %d messages wait for this webhook".formatted(WAITING),
                    now);
        }
        deliveries.trim(transaction, webhook.id(), KEPT);
    }
}
