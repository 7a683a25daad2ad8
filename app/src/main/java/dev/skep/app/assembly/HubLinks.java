package dev.skep.app.assembly;

import dev.skep.kernel.identity.Principal;
import dev.skep.runner.link.HubConnections;
import dev.skep.runner.link.RunnerSync;
import dev.skep.supervisor.feature.SyncLinks;
import dev.skep.supervisor.source.HostConnection;
import dev.skep.supervisor.source.LinkView;
import dev.skep.supervisor.source.Links;
import dev.skep.sync.sql.SyncReports;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The hubs a runner is joined to, and what it wrote that they do not have. */
final class HubLinks implements Links {
    private final Principal.Host self;
    private final Supplier<List<HubConnections.Status>> hubs;
    private final RunnerSync sync;
    private final SyncReports reports;

    HubLinks(
            Principal.Host self,
            Supplier<List<HubConnections.Status>> hubs,
            RunnerSync sync,
            SyncReports reports) {
        this.self = self;
        this.hubs = hubs;
        this.sync = sync;
        this.reports = reports;
    }

    @Override
    public List<LinkView> all(Principal principal) {
        return hubs.get().stream().map(this::link).toList();
    }

    private LinkView link(HubConnections.Status hub) {
        // A hub that was never reached has no id, and none of the rows.
        SyncReports.Waiting waiting = reports.waiting(self, sync.handedOver(hub.hub()));
        return new LinkView(
                hub.url(),
                hub.url(),
                "hub",
                switch (hub.state()) {
                    case "live" -> waiting.rows() == 0 ? "connected" : "catching_up";
                    case "catching_up", "connecting" -> "catching_up";
                    default -> "away";
                },
                waiting.rows(),
                waiting.oldest().orElse(null),
                instant(hub.heardAt()),
                sync.standing(hub.hub()).flatMap(RunnerSync.Standing::awaitedSince).orElse(null),
                null,
                hub.problem().isEmpty() ? null : hub.problem());
    }

    private static @Nullable Instant instant(String text) {
        return text.isEmpty() ? null : Instant.parse(text);
    }

    @Override
    public List<SetAside> quarantine(Principal principal, int limit) {
        return SyncLinks.setAside(reports, principal, limit);
    }

    /** The hubs write it down, each for itself. */
    @Override
    public List<HostConnection> connections(Principal principal, Optional<String> host, int limit) {
        return List.of();
    }
}
