package dev.skep.dispatch.assembly;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.operator.OperatorStore;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.directory.org.OrgStore;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.dispatch.alert.AlertListener;
import dev.skep.dispatch.alert.CardLinks;
import dev.skep.dispatch.alert.DeliverySender;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.mailserver.MailServerStore;
import dev.skep.dispatch.notification.MailForPeople;
import dev.skep.dispatch.notification.NoticeWriter;
import dev.skep.dispatch.notification.NotifiablePeople;
import dev.skep.dispatch.notification.Notifier;
import dev.skep.dispatch.notification.OperatorsOfOrg;
import dev.skep.dispatch.notification.PageMessages;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.routes.AlertRoutes;
import dev.skep.dispatch.routes.NotificationMessageRoutes;
import dev.skep.dispatch.routes.NotificationRoutes;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.transport.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What a hub does to tell people of what needs them. */
final class TellingPeople {
    private final Database database;
    private final WebhookStore webhooks;
    private final DeliveryStore deliveries;
    private final HubDispatch.Sources sources;
    private final CardLinks links = new CardLinks();
    private final NotifiablePeople people;
    private final NoticeWriter noticeWriter;
    private final Notifier notifier;
    private final PageMessages pageMessages;

    TellingPeople(
            Database database,
            WebhookStore webhooks,
            DeliveryStore deliveries,
            UnaryOperator<String> redact,
            HubDispatch.Sources sources) {
        this.database = database;
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.sources = sources;
        this.people =
                new OperatorsOfOrg(
                        new OperatorStore(
                                sources.ids(),
                                sources.clock(),
                                new AuditStore(sources.ids(), sources.clock())));
        this.noticeWriter =
                new NoticeWriter(
                        webhooks, redact, sources.ids(), sources.clock(), sources.steady());
        this.notifier =
                new Notifier(
                        database,
                        webhooks,
                        deliveries,
                        noticeWriter,
                        people,
                        links,
                        sources.ids(),
                        sources.clock(),
                        sources.steady());
        this.pageMessages = new PageMessages(database, webhooks, deliveries, sources.clock());
    }

    AlertListener listener() {
        return noticeWriter;
    }

    CardLinks links() {
        return links;
    }

    /** Makes the messages that are due. */
    void tell() {
        if (notifier.tell() > 0) {
            pageMessages.wake();
        }
    }

    void written(Set<String> tables) {
        if (tables.isEmpty() || tables.contains("deliveries")) {
            pageMessages.wake();
        }
    }

    void lookForMail(MailForPeople mail) {
        Principal.Local local = new Principal.Local(DefaultOrg.DEFAULT);
        notifier.lookForMail(
                mail,
                database.read(db -> new OrgStore().all(db, local)).stream()
                        .map(org -> new OrgId(org.id()))
                        .toList());
    }

    /** Pages that wait are answered. */
    void close() {
        pageMessages.close();
    }

    Route.Source routes(
            MailServerStore mailServers,
            SealedSecrets secrets,
            DeliverySender sender,
            AuditRecorder audit,
            AlertRoutes.Sources forRoutes) {
        List<Route> all =
                new ArrayList<>(
                        new NotificationRoutes(
                                        database,
                                        webhooks,
                                        people,
                                        mailServers,
                                        secrets,
                                        audit,
                                        forRoutes)
                                .routes());
        all.addAll(
                new NotificationMessageRoutes(
                                database,
                                new NotificationMessageRoutes.Parts(
                                        webhooks,
                                        deliveries,
                                        sender,
                                        notifier,
                                        pageMessages,
                                        people),
                                sources.clock())
                        .routes());
        return () -> all;
    }
}
