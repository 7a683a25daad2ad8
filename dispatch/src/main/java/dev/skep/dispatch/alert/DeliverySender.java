package dev.skep.dispatch.alert;

import dev.skep.directory.secret.SealedSecrets;
import dev.skep.dispatch.mailserver.Email;
import dev.skep.dispatch.mailserver.MailServerStore;
import dev.skep.dispatch.outgoing.PinnedHttpPost;
import dev.skep.dispatch.outgoing.PinnedSocket;
import dev.skep.dispatch.outgoing.Smtp;
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
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLException;
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
    private final Smtp smtp;
    private final MailServerStore mailServers;
    private final DeliveryRules rules;
    private final InstantSource clock;
    private final InstantSource steady;

    public DeliverySender(
            Database database,
            DeliveryStore store,
            WebhookStore webhooks,
            SealedSecrets secrets,
            PinnedSocket sockets,
            RandomGenerator random,
            InstantSource clock,
            InstantSource steady) {
        this.database = database;
        this.store = store;
        this.webhooks = webhooks;
        this.secrets = secrets;
        this.post = new PinnedHttpPost(sockets);
        this.smtp = new Smtp(sockets);
        this.mailServers = new MailServerStore(secrets);
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

    /** What the other side said, as a number if it said one, and what follows. */
    private record Outcome(@Nullable Integer status, DeliveryRules.Next next) {}

    private void deliver(DeliveryStore.Due due) {
        Outcome outcome;
        try {
            outcome = attempt(due);
        } catch (PinnedSocket.Refused e) {
            outcome = givenUp(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            outcome = new Outcome(null, rules.failed(words(e), due.tries()));
        } catch (SkepException e) {
            // Another process on this database may have the key that opens its secret.
            outcome = new Outcome(null, rules.failed(String.valueOf(e.getMessage()), due.tries()));
        }
        Outcome follows = outcome;
        database.write(
                transaction -> {
                    record(transaction, due, follows.next(), follows.status());
                    return true;
                });
    }

    private static Outcome givenUp(String reason) {
        return new Outcome(null, new DeliveryRules.Next.GiveUp(reason, false));
    }

    /** The kind of failure, with the words that say more of it where they name no secret. */
    private static String words(IOException failure) {
        String kind = failure.getClass().getSimpleName();
        return failure instanceof SSLException ? kind + ": " + failure.getMessage() : kind;
    }

    private Outcome attempt(DeliveryStore.Due due) throws IOException {
        return switch (due.kind()) {
            case GENERIC -> {
                PinnedHttpPost.Answer answer =
                        post.post(URI.create(due.url()), headers(due), due.body());
                yield new Outcome(answer.status(), rules.answered(answer, due.tries()));
            }
            case DISCORD, SLACK -> {
                PinnedHttpPost.Answer answer =
                        post.post(URI.create(secretUrl(due)), Map.of(), due.body());
                yield new Outcome(answer.status(), rules.answeredByChat(answer, due.tries()));
            }
            case EMAIL -> mail(due);
            // Due only when its time is over: until then pages ask for it.
            case BROWSER -> givenUp("no page of yours was open to show it");
        };
    }

    private Outcome mail(DeliveryStore.Due due) throws IOException {
        Optional<MailServerStore.Access> access =
                database.read(snapshot -> mailServers.access(snapshot, due.org()));
        if (access.isEmpty()) {
            return givenUp("this org has no mail server; an admin sets one");
        }
        EmailFormat.Letter letter = EmailFormat.Letter.of(due.body());
        String sender = access.get().server().sender();
        Email email =
                new Email(
                        due.id(),
                        sender,
                        due.url(),
                        letter.subject(),
                        letter.text(),
                        due.createdAt());
        Smtp.Reply reply = smtp.send(access.get().smtp(), sender, due.url(), email.source());
        return new Outcome(reply.code(), rules.answered(reply, due.tries()));
    }

    /** Those that were added before the URL was sealed have it as it is. */
    private String secretUrl(DeliveryStore.Due due) {
        return due.sealedSecret() == null
                ? due.url()
                : secrets.open(due.sealedSecret(), Webhook.label(due.webhookId()));
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
