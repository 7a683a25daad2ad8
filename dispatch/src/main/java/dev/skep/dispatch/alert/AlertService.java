package dev.skep.dispatch.alert;

import dev.skep.dispatch.host.HostAlertListener;
import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.JobEndListener;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Transaction;
import java.time.InstantSource;

/** Raises alerts in the transaction that found their reason, and puts their messages on the way. */
public final class AlertService implements HostAlertListener, JobEndListener {
    private static final String HUB = "hub";

    private final AlertStore alerts;
    private final WebhookStore webhooks;
    private final DeliveryStore deliveries;
    private final AlertListener listener;
    private final CardLinks links;
    private final UlidSource ids;
    private final InstantSource clock;

    public AlertService(
            AlertStore alerts,
            WebhookStore webhooks,
            DeliveryStore deliveries,
            AlertListener listener,
            CardLinks links,
            UlidSource ids,
            InstantSource clock) {
        this.alerts = alerts;
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.listener = listener;
        this.links = links;
        this.ids = ids;
        this.clock = clock;
    }

    /** Tells webhooks only, without links. */
    public AlertService(
            AlertStore alerts,
            WebhookStore webhooks,
            DeliveryStore deliveries,
            UlidSource ids,
            InstantSource clock) {
        this(alerts, webhooks, deliveries, (_, _, _) -> {}, new CardLinks(), ids, clock);
    }

    /** Sends one message, however often the same is raised before it is resolved. */
    public void raise(
            Transaction transaction, OrgId org, AlertKind kind, String subject, String message) {
        Alert alert = alert(org, kind, subject, message);
        if (alerts.open(transaction, alert)) {
            send(transaction, alert);
            listener.raised(transaction, alert, true);
        }
    }

    /** Closes an alert and sends that it is over; does nothing if it was not open. */
    public void resolve(
            Transaction transaction,
            OrgId org,
            AlertKind open,
            String subject,
            AlertKind recovery,
            String message) {
        if (alerts.resolve(transaction, org, open, subject, clock.instant())) {
            report(transaction, org, recovery, subject, message);
        }
    }

    /** Sends an alert that needs no resolution. */
    public void report(
            Transaction transaction, OrgId org, AlertKind kind, String subject, String message) {
        Alert alert = alert(org, kind, subject, message);
        alerts.note(transaction, alert);
        send(transaction, alert);
        listener.raised(transaction, alert, false);
    }

    /** Sends one message to one webhook, whatever it has chosen. */
    public String test(Transaction transaction, OrgId org, Webhook webhook) {
        Alert alert =
                alert(
                        org,
                        AlertKind.TEST,
                        Webhook.label(webhook.id()),
                        "This is a test of the webhook " + webhook.name() + ".");
        return send(transaction, alert, webhook);
    }

    @Override
    public void offline(Transaction transaction, OrgId org, HostId host) {
        raise(
                transaction,
                org,
                AlertKind.AGENT_OFFLINE,
                "host:" + host,
                "Host %s sends no heartbeats.".formatted(host));
    }

    @Override
    public void online(Transaction transaction, OrgId org, HostId host) {
        alerts.resolve(transaction, org, AlertKind.HUB_CONNECTIVITY, HUB, clock.instant());
        resolve(
                transaction,
                org,
                AlertKind.AGENT_OFFLINE,
                "host:" + host,
                AlertKind.AGENT_ONLINE,
                "Host %s is back.".formatted(host));
    }

    @Override
    public void outage(Transaction transaction, OrgId org, int hosts) {
        raise(
                transaction,
                org,
                AlertKind.HUB_CONNECTIVITY,
                HUB,
                "%d hosts fell silent within a minute; the hub's own connection is the likely cause."
                        .formatted(hosts));
    }

    @Override
    public void over(Transaction transaction, FinishedRun run, RunStatus status) {
        switch (status) {
            case FAILED, TIMED_OUT, LOST ->
                    report(
                            transaction,
                            run.org(),
                            AlertKind.JOB_FAILED,
                            "job:" + run.job(),
                            "Job %s on host %s ended as %s at attempt %d."
                                    .formatted(
                                            run.job(), run.host(), status.label(), run.attempt()));
            case PENDING, RUNNING, SUCCEEDED, CANCELLED -> {}
        }
    }

    private Alert alert(OrgId org, AlertKind kind, String subject, String message) {
        return new Alert(ids.next(), org, kind, subject, message, clock.instant());
    }

    private void send(Transaction transaction, Alert alert) {
        webhooks.all(transaction, alert.org()).stream()
                .filter(webhook -> webhook.wants(alert.kind()))
                .forEach(webhook -> send(transaction, alert, webhook));
    }

    private String send(Transaction transaction, Alert alert, Webhook webhook) {
        String id = ids.next();
        deliveries.insert(
                transaction,
                id,
                alert.org(),
                webhook.id(),
                alert.kind().name(),
                alert.message(),
                webhook.kind().format().of(alert, links.of(alert.subject())),
                alert.at());
        return id;
    }
}
