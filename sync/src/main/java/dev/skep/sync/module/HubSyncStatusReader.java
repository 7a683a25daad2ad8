package dev.skep.sync.module;

import dev.skep.directory.host.JoinedHub;
import dev.skep.kernel.identity.Principal;
import dev.skep.sync.HubSyncStatus;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.link.RunnerSyncProtocol;
import dev.skep.sync.sql.SyncReports;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a host stands with each of its hubs, whether or not they are there: what it wrote and a hub
 * did not confirm, it knows itself. A hub is listed by its address, under the id it has now.
 */
final class HubSyncStatusReader {
    /** A hub stores and confirms rows within this time; until then it is not behind. */
    private static final Duration MOMENT = Duration.ofSeconds(3);

    private final Principal.Host self;
    private final Supplier<List<HubConnections.Status>> hubs;
    private final RunnerSyncProtocol sync;
    private final SyncReports reports;
    private final InstantSource clock;

    HubSyncStatusReader(
            Principal.Host self,
            Supplier<List<HubConnections.Status>> hubs,
            RunnerSyncProtocol sync,
            SyncReports reports,
            InstantSource clock) {
        this.self = self;
        this.hubs = hubs;
        this.sync = sync;
        this.reports = reports;
        this.clock = clock;
    }

    List<PeerSyncStatus> all() {
        return hubs.get().stream().map(this::of).toList();
    }

    List<HubSyncStatus> statuses() {
        return hubs.get().stream().map(this::statuses).toList();
    }

    private HubSyncStatus statuses(HubConnections.Status hub) {
        PeerSyncStatus peerSyncStatus = of(hub);
        return new HubSyncStatus(
                hub.url(),
                hub.hub(),
                hub.state(),
                hub.since(),
                hub.heardAt(),
                hub.problem(),
                peerSyncStatus.lag(),
                peerSyncStatus.behindSince(),
                peerSyncStatus.askedAt(),
                peerSyncStatus.movedAt());
    }

    private PeerSyncStatus of(HubConnections.Status hub) {
        // A hub that was never reached has no id, and none of the rows.
        long confirmed = sync.confirmed(hub.hub());
        SyncReports.UnsyncedRows unsyncedRows = reports.waiting(self, confirmed);
        Optional<RunnerSyncProtocol.SyncStatus> syncStatus = sync.status(hub.hub());
        return new PeerSyncStatus(
                hub.hub(),
                hub.url(),
                "hub",
                switch (hub.state()) {
                    case "live" -> isBehind(unsyncedRows) ? "catching_up" : "connected";
                    case "catching_up", "connecting" -> "catching_up";
                    default -> "away";
                },
                Long.toString(confirmed),
                unsyncedRows.rows(),
                null,
                unsyncedRows.oldest().orElse(null),
                instant(hub.heardAt()),
                syncStatus.flatMap(RunnerSyncProtocol.SyncStatus::awaitedSince).orElse(null),
                syncStatus.map(RunnerSyncProtocol.SyncStatus::movedAt).orElse(null),
                hub.problem());
    }

    private boolean isBehind(SyncReports.UnsyncedRows unsyncedRows) {
        Instant moment = clock.instant().minus(MOMENT);
        return unsyncedRows.oldest().filter(oldest -> oldest.isBefore(moment)).isPresent();
    }

    private static @Nullable Instant instant(String text) {
        return text.isEmpty() ? null : Instant.parse(text);
    }

    /** The same where no process keeps the links: by what the hubs had confirmed when one did. */
    static List<PeerSyncStatus> stopped(
            Principal.Host self, List<JoinedHub> hubs, SyncReports reports) {
        return hubs.stream()
                .map(
                        hub -> {
                            long confirmed = reports.confirmed(hub.hubId());
                            SyncReports.UnsyncedRows unsyncedRows =
                                    reports.waiting(self, confirmed);
                            return new PeerSyncStatus(
                                    hub.hubId(),
                                    hub.url(),
                                    "hub",
                                    "away",
                                    Long.toString(confirmed),
                                    unsyncedRows.rows(),
                                    null,
                                    unsyncedRows.oldest().orElse(null),
                                    null,
                                    null,
                                    null,
                                    "");
                        })
                .toList();
    }
}
