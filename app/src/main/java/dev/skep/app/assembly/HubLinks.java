package dev.skep.app.assembly;

import dev.skep.kernel.identity.Principal;
import dev.skep.runner.link.HubConnections;
import dev.skep.supervisor.feature.SyncLinks;
import dev.skep.supervisor.source.LinkView;
import dev.skep.supervisor.source.Links;
import dev.skep.sync.sql.SyncReports;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The hubs a runner is joined to. */
final class HubLinks implements Links {
    private final Supplier<List<HubConnections.Status>> hubs;
    private final SyncReports reports;

    HubLinks(Supplier<List<HubConnections.Status>> hubs, SyncReports reports) {
        this.hubs = hubs;
        this.reports = reports;
    }

    @Override
    public List<LinkView> all(Principal principal) {
        return hubs.get().stream().map(HubLinks::link).toList();
    }

    private static LinkView link(HubConnections.Status hub) {
        return new LinkView(
                hub.url(),
                hub.url(),
                "hub",
                switch (hub.state()) {
                    case "live" -> "connected";
                    case "catching_up", "connecting" -> "catching_up";
                    default -> "away";
                },
                null,
                null,
                instant(hub.heardAt()),
                null,
                0,
                hub.problem().isEmpty() ? null : hub.problem());
    }

    private static @Nullable Instant instant(String text) {
        return text.isEmpty() ? null : Instant.parse(text);
    }

    @Override
    public List<SetAside> quarantine(Principal principal, int limit) {
        return SyncLinks.setAside(reports, principal, limit);
    }
}
