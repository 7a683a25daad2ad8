package dev.skep.supervisor.feature;

import dev.skep.directory.enrolment.HostService;
import dev.skep.directory.enrolment.PairingCodeStore;
import dev.skep.directory.operator.OperatorService;
import dev.skep.directory.org.Org;
import dev.skep.directory.org.OrgStore;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.SettingsSource;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What admins keep on a hub. */
public final class HubSettingsSource implements SettingsSource {
    private final Database database;
    private final OperatorService operatorService;
    private final HostService hostService;
    private final SharedKey sharedKey;
    private final InstantSource clock;
    private final OrgStore orgs = new OrgStore();
    private final WebhookStore webhooks = new WebhookStore();

    /** The key of the configuration that lets hosts into one org. */
    public record SharedKey(OrgId org, Optional<String> setIn) {}

    public HubSettingsSource(
            Database database,
            OperatorService operatorService,
            HostService hostService,
            SharedKey sharedKey,
            InstantSource clock) {
        this.database = database;
        this.operatorService = operatorService;
        this.hostService = hostService;
        this.sharedKey = sharedKey;
        this.clock = clock;
    }

    @Override
    public OrgView org(Principal principal) {
        Org org =
                database.read(snapshot -> orgs.find(snapshot, principal.org()))
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.NOT_FOUND,
                                                "there is no org " + principal.org()));
        boolean shared = sharedKey.org().equals(principal.org());
        return new OrgView(
                org.id(),
                org.name(),
                org.createdAt(),
                shared ? sharedKey.setIn().orElse(null) : null);
    }

    @Override
    public List<OperatorView> operators(Principal principal) {
        return operatorService.all(principal).stream()
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
        return hostService.all(principal).stream()
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
                .map(WebhookView::of)
                .toList();
    }
}
