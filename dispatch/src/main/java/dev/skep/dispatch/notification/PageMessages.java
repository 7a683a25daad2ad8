package dev.skep.dispatch.notification;

import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Database;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the open pages of a person show: they ask and wait, and say what they showed. A page that
 * asks twice gets the same again and leaves out what it has shown. Thread-safe.
 */
public final class PageMessages {
    /** How many may wait at once; more are answered at once and ask again later. */
    private static final int WAITING = 2_000;

    private final Database database;
    private final WebhookStore webhooks;
    private final DeliveryStore deliveries;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long changes;
    private int waiting;
    private boolean closed;

    public PageMessages(
            Database database,
            WebhookStore webhooks,
            DeliveryStore deliveries,
            InstantSource clock) {
        this.database = database;
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.clock = clock;
    }

    /** Something may be there: those who wait look again. */
    public void wake() {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Those who wait are answered. */
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        wake();
    }

    /** What a person's pages should show: messages of the last minutes, the oldest first. */
    public List<DeliveryStore.Shown> of(OrgId org, String operator) {
        return database.read(
                snapshot ->
                        channel(webhooks.channels(snapshot, org, operator))
                                .map(
                                        channel ->
                                                deliveries.since(
                                                        snapshot,
                                                        org,
                                                        channel.id(),
                                                        clock.instant().minus(Notifier.FOR_PAGES)))
                                .orElse(List.of()));
    }

    /** The same, as soon as there is more than is known already, or when the time is over. */
    public List<DeliveryStore.Shown> await(OrgId org, String operator, String last, Duration atMost)
            throws InterruptedException {
        long left = atMost.toNanos();
        boolean may = enter();
        try {
            while (true) {
                long seen = changes();
                List<DeliveryStore.Shown> all = of(org, operator);
                boolean news = !all.isEmpty() && !all.getLast().id().equals(last);
                if (news || left <= 0 || !may) {
                    return all;
                }
                left = awaitChange(seen, left);
            }
        } finally {
            leave();
        }
    }

    private boolean enter() {
        lock.lock();
        try {
            waiting++;
            return waiting <= WAITING;
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            waiting--;
        } finally {
            lock.unlock();
        }
    }

    private long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    private long awaitChange(long seen, long nanos) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (changes == seen && left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
            return closed ? 0 : left;
        } finally {
            lock.unlock();
        }
    }

    public void shown(OrgId org, String operator, String message) {
        database.write(
                transaction -> {
                    channel(webhooks.channels(transaction, org, operator))
                            .ifPresent(
                                    channel ->
                                            deliveries.shown(
                                                    transaction,
                                                    org,
                                                    channel.id(),
                                                    message,
                                                    clock.instant()));
                    return true;
                });
        wake();
    }

    /** How a message fared once a page showed it, or when the time is over. */
    public DeliveryStore.View awaitShown(String message, Duration atMost)
            throws InterruptedException {
        long left = Math.min(atMost.toNanos(), TimeUnit.MINUTES.toNanos(1));
        while (true) {
            long seen = changes();
            DeliveryStore.View view =
                    database.read(snapshot -> deliveries.viewOf(snapshot, message));
            if (!view.state().equals("waiting") || left <= 0) {
                return view;
            }
            left = awaitChange(seen, left);
        }
    }

    private static Optional<Webhook> channel(List<Webhook> all) {
        return all.stream()
                .filter(channel -> channel.kind() == Webhook.Kind.BROWSER)
                .filter(channel -> channel.disabledReason() == null)
                .findFirst();
    }
}
