package dev.skep.sync.module;

import dev.skep.sync.PeerSyncStatus;
import dev.skep.transport.http.Metrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The links and what sync has still to do, as figures. */
final class SyncMeter {
    private static final Duration KEPT = Duration.ofSeconds(1);

    private final Metrics metrics;
    private final InstantSource clock;

    SyncMeter(Metrics metrics, InstantSource clock) {
        this.metrics = metrics;
        this.clock = clock;
    }

    /** Links that are open, of a {@code hub} or a {@code runner}. */
    void showLinks(String end, IntSupplier open) {
        metrics.show(
                Gauge.builder("skep.links", open::getAsInt)
                                .description("links that are open now; end is hub or runner")
                                .tag("end", end)
                        ::register);
    }

    /** Of the hosts of a {@code hub}, or the hubs of a {@code runner}. */
    void show(String end, Supplier<List<PeerSyncStatus>> standings) {
        Supplier<List<PeerSyncStatus>> peers = new RecentStatus(standings);
        metrics.show(
                registry -> {
                    gauge(
                            registry,
                            "skep.sync.lag.rows",
                            "rows written at hosts that hubs did not confirm; of linked hosts, or of the hub that lacks most; end is hub or runner",
                            end,
                            peers,
                            all -> rows(end, all));
                    gauge(
                            registry,
                            "skep.sync.unknown.peers",
                            "hosts that are not there, so that nobody knows what they wrote",
                            end,
                            peers,
                            all -> all.stream().filter(p -> p.unknownSince() != null).count());
                    gauge(
                            registry,
                            "skep.sync.stuck.seconds",
                            "how long nothing of an awaited answer has come, of the peer where that is longest",
                            end,
                            peers,
                            this::stuckSeconds);
                });
    }

    /** All figures of one answer are of one look. */
    private final class RecentStatus implements Supplier<List<PeerSyncStatus>> {
        private final Supplier<List<PeerSyncStatus>> source;
        private List<PeerSyncStatus> seen = List.of();
        private Instant at = Instant.EPOCH;

        RecentStatus(Supplier<List<PeerSyncStatus>> source) {
            this.source = source;
        }

        @Override
        public synchronized List<PeerSyncStatus> get() {
            Instant now = clock.instant();
            if (now.isBefore(at) || now.isAfter(at.plus(KEPT))) {
                seen = source.get();
                at = now;
            }
            return seen;
        }
    }

    private static void gauge(
            MeterRegistry registry,
            String name,
            String description,
            String end,
            Supplier<List<PeerSyncStatus>> peers,
            ToDoubleFunction<List<PeerSyncStatus>> figure) {
        Gauge.builder(name, () -> figure.applyAsDouble(peers.get()))
                .description(description)
                .tag("end", end)
                .register(registry);
    }

    /** Hosts have rows of their own; a runner's rows are the same for each hub. */
    private static double rows(String end, List<PeerSyncStatus> peers) {
        var rows =
                peers.stream().map(PeerSyncStatus::lag).filter(Objects::nonNull).mapToLong(l -> l);
        return end.equals("hub") ? rows.sum() : rows.max().orElse(0);
    }

    private double stuckSeconds(List<PeerSyncStatus> peers) {
        Instant now = clock.instant();
        return peers.stream()
                .filter(peer -> peer.askedAt() != null && peer.movedAt() != null)
                .mapToDouble(peer -> Math.max(0, seconds(peer.askedAt(), peer.movedAt(), now)))
                .max()
                .orElse(0);
    }

    private static double seconds(Instant asked, Instant moved, Instant now) {
        return Duration.between(asked.isAfter(moved) ? asked : moved, now).toMillis() / 1e3;
    }
}
