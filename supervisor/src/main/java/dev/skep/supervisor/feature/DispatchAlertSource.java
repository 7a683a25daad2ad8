package dev.skep.supervisor.feature;

import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.supervisor.source.AlertSource;
import dev.skep.supervisor.source.AlertView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Alerts and their deliveries. */
public final class DispatchAlertSource implements AlertSource {
    private static final String LAST = "~";

    private final Database database;
    private final AlertStore alerts = new AlertStore();
    private final WebhookStore webhooks = new WebhookStore();
    private final DeliveryStore deliveries = new DeliveryStore();

    public DispatchAlertSource(Database database) {
        this.database = database;
    }

    @Override
    public List<AlertView> newest(
            Principal principal, boolean openOnly, Optional<String> before, int limit) {
        String id = before.orElse(LAST);
        return database
                .read(
                        snapshot ->
                                openOnly
                                        ? alerts.newestOpen(snapshot, principal.org(), id, limit)
                                        : alerts.newest(snapshot, principal.org(), id, limit))
                .stream()
                .map(DispatchAlertSource::shown)
                .toList();
    }

    private static AlertView shown(AlertStore.View a) {
        return new AlertView(
                a.id(), a.kind(), a.subject(), a.message(), a.raisedAt(), a.resolvedAt());
    }

    @Override
    public List<Delivery> deliveries(Principal principal, int limit) {
        return database.read(
                snapshot ->
                        webhooks.all(snapshot, principal.org()).stream()
                                .flatMap(hook -> sent(snapshot, principal, hook, limit))
                                .sorted(Comparator.comparing(Delivery::id).reversed())
                                .limit(limit)
                                .toList());
    }

    private Stream<Delivery> sent(Snapshot snapshot, Principal principal, Webhook hook, int limit) {
        return deliveries.latest(snapshot, principal.org(), hook.id(), limit).stream()
                .map(
                        d ->
                                new Delivery(
                                        d.id(),
                                        hook.name(),
                                        d.topic(),
                                        d.state(),
                                        d.tries(),
                                        d.lastStatus(),
                                        d.lastError(),
                                        d.createdAt(),
                                        d.doneAt()));
    }
}
