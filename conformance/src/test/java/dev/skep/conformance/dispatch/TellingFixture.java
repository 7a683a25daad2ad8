package dev.skep.conformance.dispatch;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.operator.OperatorStore;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.dispatch.alert.AlertKind;
import dev.skep.dispatch.alert.AlertService;
import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.CardLinks;
import dev.skep.dispatch.alert.DeliverySender;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.notification.MailForPeople;
import dev.skep.dispatch.notification.NoticeWriter;
import dev.skep.dispatch.notification.Notifier;
import dev.skep.dispatch.notification.OperatorsOfOrg;
import dev.skep.dispatch.outgoing.AddressGuard;
import dev.skep.dispatch.outgoing.PinnedSocket;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What one process of a hub has to tell people. */
final class TellingFixture {
    static final OrgId ORG = new OrgId("default");
    static final String CHANNEL = "channel-1";

    final WebhookStore webhooks = new WebhookStore();
    final DeliveryStore deliveries = new DeliveryStore();
    final Notifier notifier;
    private final Database database;
    private final SealedSecrets secrets;
    private final OperatorStore operators;
    private final AlertService alerts;
    private final InstantSource clock;
    private final InstantSource steady;

    TellingFixture(Database database, Path keys, InstantSource clock, InstantSource steady) {
        this.database = database;
        this.clock = clock;
        this.steady = steady;
        UlidSource ids = new UlidSource(clock, new Random());
        CardLinks links = new CardLinks();
        links.reachedAt("https://hub.example.org");
        secrets = SealedSecrets.open(keys, new SecureRandom());
        operators = new OperatorStore(ids, clock, new AuditStore(ids, clock));
        NoticeWriter writer = new NoticeWriter(webhooks, text -> text, ids, clock, steady);
        alerts =
                new AlertService(new AlertStore(), webhooks, deliveries, writer, links, ids, clock);
        notifier =
                new Notifier(
                        database,
                        webhooks,
                        deliveries,
                        writer,
                        new OperatorsOfOrg(operators),
                        links,
                        ids,
                        clock,
                        steady);
    }

    /** A person with one signed webhook. */
    void person(String url, Set<String> kinds) {
        database.write(
                tx -> {
                    String lena = operators.add(tx, Actor.local(ORG), "lena", Role.OPERATOR).id();
                    webhooks.insert(
                            tx,
                            ORG,
                            lena,
                            new Webhook(
                                    CHANNEL,
                                    Webhook.Kind.GENERIC,
                                    "pager",
                                    url,
                                    kinds,
                                    null,
                                    clock.instant()),
                            secrets.seal("whsec_" + "A".repeat(43) + "=", Webhook.label(CHANNEL)));
                    return true;
                });
    }

    void approvalWaits(String id) {
        database.write(
                tx -> {
                    alerts.raise(
                            tx, ORG, AlertKind.APPROVAL_WAITING, "approval:" + id, "mia asks: ls");
                    return true;
                });
    }

    void lookForMail(MailForPeople mail) {
        notifier.lookForMail(mail, List.of(ORG));
    }

    DeliverySender sender() {
        return new DeliverySender(
                database,
                deliveries,
                webhooks,
                secrets,
                new PinnedSocket(new AddressGuard(true)),
                new Random(),
                clock,
                steady);
    }
}
