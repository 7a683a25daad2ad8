package dev.skep.dispatch.alert;

import dev.skep.directory.secret.SealedSecrets;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Sends messages that are due; called every second by one thread. */
public final class DeliverySender {
    private static final int AT_ONCE = 20;

    /** How long a process may take for a message before another may take it. */
    private static final Duration TAKEN_FOR = Duration.ofMinutes(2);

    private final Database database;
    private final DeliveryStore store;
    private final WebhookStore webhooks;
    private final SealedSecrets secrets;
    private final PinnedHttpPost post;
    private final DeliveryRules rules;
    private final InstantSource clock;
    private final InstantSource steady;

    public DeliverySender(
            Database database,
            DeliveryStore store,
            WebhookStore webhooks,
            SealedSecrets secrets,
            AddressGuard guard,
            RandomGenerator random,
            InstantSource clock,
            InstantSource steady) {
        this.database = database;
        this.store = store;
        this.webhooks = webhooks;
        this.secrets = secrets;
        this.post = new PinnedHttpPost(guard);
        this.rules = new DeliveryRules(random);
        this.clock = clock;
        this.steady = steady;
    }

    /** Tries all that is due. */
    public int sendAll() throws InterruptedException {
        int all = 0;
        int some = AT_ONCE;
        while (some == AT_ONCE) {
            some = send();
            all += some;
        }
        return all;
    }

    /** Tries some of what is due, side by side, and returns how many that were. */
    public int send() throws InterruptedException {
        Instant now = steady.instant();
        List<DeliveryStore.Due> due =
                database.write(tx -> store.take(tx, now, now.plus(TAKEN_FOR), AT_ONCE));
        CountDownLatch left = new CountDownLatch(due.size());
        for (DeliveryStore.Due each : due) {
            Thread.ofVirtual()
                    .name("delivery")
                    .start(
                            () -> {
                                try {
                                    deliver(each);
                                } finally {
                                    left.countDown();
                                }
                            });
        }
        left.await();
        return due.size();
    }

    /** Tries a message as soon as it is written, and returns the result. */
    public DeliveryStore.View sendAtOnce(Function<Transaction, String> written) {
        DeliveryStore.Due due =
                database.write(
                        transaction ->
                                store.take(
                                        transaction,
                                        written.apply(transaction),
                                        steady.instant().plus(TAKEN_FOR)));
        deliver(due);
        return database.read(snapshot -> store.viewOf(snapshot, due.id()));
    }

    private void deliver(DeliveryStore.Due due) {
        Integer status = null;
        DeliveryRules.Next next;
        try {
            PinnedHttpPost.Answer answer =
                    post.post(URI.create(due.url()), headers(due), due.body());
            status = answer.status();
            next = rules.answered(answer, due.tries());
        } catch (PinnedHttpPost.Refused e) {
            next = new DeliveryRules.Next.GiveUp(String.valueOf(e.getMessage()), false);
        } catch (IOException e) {
            next = rules.failed(e.getClass().getSimpleName(), due.tries());
        } catch (SkepException e) {
            // Another process on this database may have the key that opens its secret.
            next = rules.failed(String.valueOf(e.getMessage()), due.tries());
        }
        Integer received = status;
        DeliveryRules.Next follows = next;
        database.write(
                transaction -> {
                    record(transaction, due, follows, received);
                    return true;
                });
    }

    private Map<String, String> headers(DeliveryStore.Due due) {
        return due.sealedSecret() == null
                ? Map.of()
                : WebhookSignature.headers(
                        secrets.open(due.sealedSecret(), Webhook.label(due.webhookId())),
                        due.id(),
                        clock.instant(),
                        due.body());
    }

    private void record(
            Transaction transaction,
            DeliveryStore.Due due,
            DeliveryRules.Next next,
            @Nullable Integer status) {
        Instant now = clock.instant();
        switch (next) {
            case DeliveryRules.Next.Done() ->
                    store.done(transaction, due.id(), status == null ? 0 : status, now);
            case DeliveryRules.Next.Again(Duration pause, String reason) ->
                    store.again(
                            transaction, due.id(), steady.instant().plus(pause), status, reason);
            case DeliveryRules.Next.GiveUp(String reason, boolean disable) -> {
                store.giveUp(transaction, due.id(), status, reason, now);
                if (disable) {
                    webhooks.disable(transaction, due.webhookId(), reason, now);
                }
            }
        }
    }
}
