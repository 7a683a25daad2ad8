package dev.skep.supervisor.routes;

import dev.skep.directory.audit.AuditEntry;
import dev.skep.directory.audit.AuditFilter;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.supervisor.source.SettingsSource;
import dev.skep.supervisor.source.Sources;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Audit and settings. */
final class RecordRoutes implements Route.Source {
    private static final int PAGE = 100;
    private static final int MOST = 1_000;

    private final Database database;
    private final Sources sources;

    RecordRoutes(Database database, Sources sources) {
        this.database = database;
        this.sources = sources;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                ViewRoute.get(
                        "/history/audit",
                        ViewRoute.paged("The audit log, in pages.")
                                .query("actor", String.class, "only of this actor")
                                .query("action", String.class, "only this action")
                                .query("target", String.class, "only about this")
                                .answers(KeysetPage.class, AuditEntry.class),
                        Role.ADMIN,
                        this::audit),
                ViewRoute.get(
                        "/names",
                        Operation.of("Names of operators, by what audit calls them.")
                                .answers(OperatorNames.class),
                        request -> names(request.principal())),
                ViewRoute.get(
                        "/settings",
                        Operation.of("What the settings page shows.").answers(AllSettings.class),
                        Role.ADMIN,
                        request -> settings(request.principal())));
    }

    private Object audit(Request request) {
        int limit = request.query("limit", PAGE, MOST);
        var filter =
                new AuditFilter(
                        request.query("actor"),
                        request.query("action"),
                        request.query("target"),
                        Optional.empty(),
                        Optional.empty());
        return KeysetPage.of(
                database.read(
                        snapshot ->
                                sources.audit()
                                        .newest(
                                                snapshot,
                                                request.principal(),
                                                filter,
                                                request.query("before"),
                                                limit + 1)),
                limit,
                AuditEntry::id);
    }

    private record OperatorNames(Map<String, String> names) {}

    /** The names of operators that are referred to by id elsewhere. */
    private OperatorNames names(Principal who) {
        return new OperatorNames(
                sources
                        .settings()
                        .map(settings -> settings.operators(who))
                        .orElse(List.of())
                        .stream()
                        .collect(
                                Collectors.toMap(
                                        person -> "operator:" + person.id(),
                                        SettingsSource.OperatorView::username)));
    }

    private record AllSettings(
            SettingsSource.OrgView org,
            List<SettingsSource.OperatorView> operators,
            List<SettingsSource.PairingView> pairings,
            List<SettingsSource.KeyView> keys,
            List<SettingsSource.WebhookView> webhooks) {}

    private AllSettings settings(Principal who) {
        SettingsSource settings = ViewRoute.present(sources.settings(), "settings");
        return new AllSettings(
                settings.org(who),
                settings.operators(who),
                settings.pairings(who),
                settings.keys(who),
                settings.webhooks(who));
    }
}
