package dev.skep.supervisor.feature;

import dev.skep.directory.enrolment.Hosts;
import dev.skep.directory.enrolment.PairingCodeStore;
import dev.skep.directory.operator.Operators;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.Settings;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** What admins keep on a hub. */
public final class HubSettings implements Settings {
    private final Database database;
    private final Operators operators;
    private final Hosts hosts;
    private final InstantSource clock;
    private final WebhookStore webhooks = new WebhookStore();

    public HubSettings(Database database, Operators operators, Hosts hosts, InstantSource clock) {
        this.database = database;
        this.operators = operators;
        this.hosts = hosts;
        this.clock = clock;
    }

    @Override
    public List<OperatorView> operators(Principal principal) {
        return operators.all(principal).stream()
                .map(
                        o ->
                                new OperatorView(
                                        o.id(),
                                        o.username(),
                                        o.role().name().toLowerCase(Locale.ROOT),
                                        o.signedInAt(),
                                        o.disabledAt()))
                .toList();
    }

    @Override
    public List<PairingView> pairings(Principal principal) {
        return database
                .read(snapshot -> PairingCodeStore.open(snapshot, principal, clock.instant()))
                .stream()
                .map(
                        code ->
                                new PairingView(
                                        code.madeAt().toString(),
                                        code.madeBy(),
                                        code.madeAt(),
                                        code.expiresAt()))
                .toList();
    }

    @Override
    public List<KeyView> keys(Principal principal) {
        return hosts.all(principal).stream()
                .map(
                        key ->
                                new KeyView(
                                        key.host() + "." + key.version(),
                                        key.host().value(),
                                        key.version(),
                                        key.createdAt(),
                                        key.expiresAt(),
                                        key.revokedAt()))
                .toList();
    }

    @Override
    public List<WebhookView> webhooks(Principal principal) {
        return database.read(snapshot -> webhooks.all(snapshot, principal.org())).stream()
                .map(
                        hook ->
                                new WebhookView(
                                        hook.id(),
                                        hook.kind().label(),
                                        hook.name(),
                                        hook.url(),
                                        String.join(",", new TreeSet<>(hook.topics())),
                                        hook.disabledReason()))
                .toList();
    }
}
