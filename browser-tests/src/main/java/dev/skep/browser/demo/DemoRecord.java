package dev.skep.browser.demo;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.supervisor.source.AlertSource;
import dev.skep.supervisor.source.AlertView;
import dev.skep.supervisor.source.JobView;
import dev.skep.supervisor.source.SettingsSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Alerts, audit and settings in memory. */
final class DemoRecord implements AlertSource, SettingsSource {
    private final List<DemoHost> hosts;
    private final Instant now;
    private final List<AlertView> alerts = new ArrayList<>();

    /** The jobs that failed are those that the queue has. */
    DemoRecord(
            Database database,
            List<DemoHost> hosts,
            List<JobView> failed,
            UlidSource ids,
            Instant now) {
        this.hosts = hosts;
        this.now = now;
        for (int i = hosts.isEmpty() ? 0 : 6; i > 0; i--) {
            DemoHost host = hosts.get((i * 5 + 4) % hosts.size());
            Instant raised = now.minus(Duration.ofHours(i * 4L));
            alerts.addFirst(offline(ids, host, raised, raised.plusSeconds(900L * i)));
        }
        failed.stream().limit(3).forEach(job -> alerts.add(failed(ids, job)));
        alerts.sort(Comparator.comparing(AlertView::raisedAt).reversed());
        hosts.stream()
                .filter(host -> host.status().equals("offline"))
                .limit(2)
                .forEach(
                        host ->
                                alerts.addFirst(
                                        offline(
                                                ids,
                                                host,
                                                now.minus(DemoHealth.AWAY).plusSeconds(120),
                                                null)));
        database.write(
                transaction -> {
                    for (int i = hosts.isEmpty() ? 0 : 160; i > 0; i--) {
                        audit(transaction, ids, i, hosts.get(i % hosts.size()).id());
                    }
                    return hosts;
                });
    }

    private void audit(Transaction transaction, UlidSource ids, int i, String host) {
        boolean other = i % 3 == 0;
        var who =
                new Principal.Operator(
                        DefaultOrg.DEFAULT, new OperatorId(other ? "o2" : "o1"), Role.OPERATOR);
        Deed deed =
                switch (i % 5) {
                    case 0 ->
                            new Deed(
                                    "job_created",
                                    "job:" + ids.next(),
                                    Map.of("type", "shell", "host", host));
                    case 1 -> new Deed("host_edited", "host:" + host, Map.of());
                    case 2 -> new Deed("signed_in", who.label(), Map.of("with", "password"));
                    case 3 ->
                            new Deed(
                                    "server_created",
                                    "server:" + ids.next(),
                                    Map.of("host", host, "name", "cache-" + i));
                    default -> new Deed("job_retried", "job:" + ids.next(), Map.of());
                };
        new AuditStore(ids, () -> now.minus(Duration.ofMinutes(i * 11L)))
                .record(
                        transaction,
                        new Actor(who, other ? "10.0.4.17" : Actor.LOCAL),
                        deed.action(),
                        deed.target(),
                        deed.detail());
    }

    /** What somebody did, as a hub writes it down. */
    private record Deed(String action, String target, Map<String, String> detail) {}

    /** In the words of a hub, which names hosts by their ids. */
    private static AlertView offline(
            UlidSource ids, DemoHost host, Instant raised, @Nullable Instant resolved) {
        return new AlertView(
                ids.next(),
                "AGENT_OFFLINE",
                "host:" + host.id(),
                "Host %s has not been heard from.".formatted(host.id()),
                raised,
                resolved);
    }

    private static AlertView failed(UlidSource ids, JobView job) {
        return new AlertView(
                ids.next(),
                "JOB_FAILED",
                "job:" + job.id(),
                "Job %s on host %s ended as failed at attempt %d."
                        .formatted(job.id(), job.host(), job.attempt()),
                Objects.requireNonNull(job.finishedAt()),
                job.finishedAt());
    }

    @Override
    public List<AlertView> newest(
            Principal principal, boolean openOnly, Optional<String> before, int limit) {
        return alerts.stream()
                .filter(a -> !openOnly || a.resolvedAt() == null)
                .filter(a -> before.isEmpty() || a.id().compareTo(before.get()) < 0)
                .limit(limit)
                .toList();
    }

    /** Of a fleet without hosts nothing was ever said. */
    private <T> List<T> unlessEmpty(List<T> rows) {
        return hosts.isEmpty() ? List.of() : rows;
    }

    @Override
    public List<Delivery> deliveries(Principal principal, int limit) {
        return unlessEmpty(
                List.of(
                        new Delivery(
                                "d2",
                                "team channel",
                                "AGENT_OFFLINE",
                                "delivered",
                                1,
                                204,
                                null,
                                now.minus(DemoHealth.AWAY).plusSeconds(120),
                                now.minus(DemoHealth.AWAY).plusSeconds(120)),
                        new Delivery(
                                "d1",
                                "pager",
                                "AGENT_OFFLINE",
                                "waiting",
                                3,
                                503,
                                "HTTP 503, next try in 4 min",
                                now.minus(DemoHealth.AWAY).plusSeconds(120),
                                null)));
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
        return unlessEmpty(
                List.of(
                        new WebhookView(
                                "w1",
                                "discord",
                                "team channel",
                                "https://discord.example/api/webhooks/…",
                                "",
                                null),
                        new WebhookView(
                                "w2",
                                "generic",
                                "pager",
                                "https://pager.example/hooks/skep",
                                "AGENT_OFFLINE,JOB_FAILED",
                                null)));
    }
}
