package dev.skep.browser.demo;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.dispatch.alert.AlertService;
import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.view.JobDetails;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.supervisor.source.SettingsSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/** What a hub has written down: alerts, messages about them and audit; and its settings. */
final class DemoRecord implements SettingsSource {
    private static final Actor MARIA = operator("o1", Actor.LOCAL);
    private static final Actor JONAS = operator("o2", "10.0.4.17");

    /** Who does things, in turn. */
    static final List<Actor> OPERATORS = List.of(JONAS, MARIA, MARIA, MARIA);

    private final Database database;
    private final List<DemoHost> hosts;
    private final UlidSource ids;
    private final Instant now;
    private final WebhookStore webhooks = new WebhookStore();
    private final DeliveryStore deliveries = new DeliveryStore();

    DemoRecord(Database database, List<DemoHost> hosts, UlidSource ids, Instant now) {
        this.database = database;
        this.hosts = hosts;
        this.ids = ids;
        this.now = now;
    }

    private static Actor operator(String id, String address) {
        return new Actor(
                new Principal.Operator(DefaultOrg.DEFAULT, new OperatorId(id), Role.OPERATOR),
                address);
    }

    /** Of a fleet without hosts nothing was ever said; the jobs that failed are the queue's. */
    void seed(List<JobDetails> failed) {
        if (hosts.isEmpty()) {
            return;
        }
        database.write(
                transaction -> {
                    alerts(failed).forEach(sent -> sent.alert(transaction));
                    webhooks(transaction);
                    hosts.stream()
                            .filter(host -> host.status().equals("offline"))
                            .limit(2)
                            .map(host -> offline(host, now.minus(DemoHealth.AWAY).plusSeconds(120)))
                            .forEach(sent -> sent.alert(transaction));
                    deliver(transaction);
                    for (int i = 160; i > 0; i--) {
                        audit(transaction, ids, i, hosts.get(i % hosts.size()).id());
                    }
                    return hosts;
                });
    }

    /** An alert that was sent at a time. */
    private record SentAlert(
            Instant at, BiConsumer<AlertService, Transaction> what, UlidSource ids) {
        void alert(Transaction transaction) {
            var alertService =
                    new AlertService(
                            new AlertStore(),
                            new WebhookStore(),
                            new DeliveryStore(),
                            ids,
                            () -> at);
            what.accept(alertService, transaction);
        }
    }

    /** In the order they were sent. */
    private List<SentAlert> alerts(List<JobDetails> failed) {
        List<SentAlert> all = new ArrayList<>();
        for (int i = 6; i > 0; i--) {
            DemoHost host = hosts.get((i * 5 + 4) % hosts.size());
            Instant raised = now.minus(Duration.ofHours(i * 4L));
            all.add(offline(host, raised));
            all.add(
                    new SentAlert(
                            raised.plusSeconds(900L * i),
                            (alerts, transaction) ->
                                    alerts.online(
                                            transaction, DefaultOrg.DEFAULT, new HostId(host.id())),
                            ids));
        }
        failed.forEach(
                job ->
                        all.add(
                                new SentAlert(
                                        Objects.requireNonNull(job.run().finishedAt()),
                                        (alerts, transaction) ->
                                                alerts.over(
                                                        transaction,
                                                        finished(job),
                                                        RunStatus.FAILED),
                                        ids)));
        all.sort(Comparator.comparing(SentAlert::at));
        return all;
    }

    private SentAlert offline(DemoHost host, Instant at) {
        return new SentAlert(
                at,
                (alerts, transaction) ->
                        alerts.offline(transaction, DefaultOrg.DEFAULT, new HostId(host.id())),
                ids);
    }

    private void webhooks(Transaction transaction) {
        webhook(
                transaction,
                "w1",
                Webhook.Kind.DISCORD,
                "team channel",
                "discord.example/api/webhooks/…");
        webhook(
                transaction,
                "w2",
                Webhook.Kind.GENERIC,
                "pager",
                "pager.example/hooks/skep",
                "AGENT_OFFLINE",
                "JOB_FAILED");
    }

    private void webhook(
            Transaction transaction,
            String id,
            Webhook.Kind kind,
            String name,
            String address,
            String... topics) {
        webhooks.insert(
                transaction,
                DefaultOrg.DEFAULT,
                new Webhook(
                        id,
                        kind,
                        name,
                        "https://" + address,
                        Set.of(topics),
                        null,
                        now.minus(Duration.ofDays(40))),
                null);
    }

    /** The team's channel takes what it gets; the pager is down. */
    private void deliver(Transaction transaction) {
        for (DeliveryStore.View sent :
                deliveries.latest(transaction, DefaultOrg.DEFAULT, "w1", hosts.size())) {
            deliveries.done(transaction, sent.id(), 204, sent.createdAt());
        }
        for (DeliveryStore.View sent :
                deliveries.latest(transaction, DefaultOrg.DEFAULT, "w2", hosts.size())) {
            Instant due = now.plus(Duration.ofMinutes(4));
            deliveries.again(transaction, sent.id(), due, 503, "HTTP 503, next try in 4 min");
        }
    }

    private void audit(Transaction transaction, UlidSource ids, int i, String host) {
        Actor who = i % 3 == 0 ? JONAS : MARIA;
        Deed deed =
                switch (i % 5) {
                    case 0 ->
                            new Deed(
                                    "job_created",
                                    "job:" + ids.next(),
                                    Map.of("type", "shell", "host", host));
                    case 1 -> new Deed("host_edited", "host:" + host, Map.of());
                    case 2 ->
                            new Deed(
                                    "signed_in",
                                    who.principal().label(),
                                    Map.of("with", "password"));
                    case 3 ->
                            new Deed(
                                    "server_created",
                                    "server:" + ids.next(),
                                    Map.of("host", host, "name", "cache-" + i));
                    default -> new Deed("job_retried", "job:" + ids.next(), Map.of());
                };
        new AuditStore(ids, () -> now.minus(Duration.ofMinutes(i * 11L)))
                .record(transaction, who, deed.action(), deed.target(), deed.detail());
    }

    /** An action of an operator, as a hub records it. */
    private record Deed(String action, String target, Map<String, String> detail) {}

    private static FinishedRun finished(JobDetails job) {
        return new FinishedRun(
                new RunId(job.run().id()),
                DefaultOrg.DEFAULT,
                new JobId(job.id()),
                new HostId(job.hostId()),
                job.run().attempt(),
                false);
    }

    /** Of a fleet without hosts nothing was ever said. */
    private <T> List<T> unlessEmpty(List<T> rows) {
        return hosts.isEmpty() ? List.of() : rows;
    }

    @Override
    public OrgView org(Principal principal) {
        return new OrgView(
                "default",
                "Beekeepers",
                now.minus(Duration.ofDays(41)),
                "environment HUB_ACCESS_KEY");
    }

    @Override
    public List<OperatorView> operators(Principal principal) {
        return List.of(
                new OperatorView("o1", "maria", "admin", now.minus(Duration.ofMinutes(40)), null),
                new OperatorView("o2", "jonas", "operator", now.minus(Duration.ofHours(20)), null),
                new OperatorView("o3", "wei", "viewer", null, now.minus(Duration.ofDays(3))));
    }

    @Override
    public List<PairingView> pairings(Principal principal) {
        return unlessEmpty(
                List.of(
                        new PairingView(
                                "p1",
                                "operator:o1",
                                now.minus(Duration.ofMinutes(4)),
                                now.plus(Duration.ofMinutes(6)))));
    }

    @Override
    public List<KeyView> keys(Principal principal) {
        return hosts.stream()
                .map(
                        host ->
                                new KeyView(
                                        "k-" + host.id(),
                                        host.id(),
                                        1,
                                        now.minus(Duration.ofDays(40)),
                                        null,
                                        null))
                .toList();
    }

    @Override
    public List<WebhookView> webhooks(Principal principal) {
        return database.read(snapshot -> webhooks.all(snapshot, principal.org())).stream()
                .map(WebhookView::of)
                .toList();
    }
}
