package dev.skep.app.assembly;

import dev.skep.dispatch.host.HostStatus;
import dev.skep.dispatch.view.FleetCountsStore;
import dev.skep.store.Database;
import dev.skep.transport.http.Metrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Figures of what a hub's or a runner's database holds, read when somebody asks for them. */
final class FleetMeter {
    private final Metrics metrics;

    FleetMeter(Metrics metrics) {
        this.metrics = metrics;
    }

    /** Hosts by status, and the runs that wait or run. */
    void showFleet(Database database) {
        var counts = new FleetCountsStore(database);
        metrics.show(registry -> showFleet(registry, counts));
    }

    private static void showFleet(MeterRegistry registry, FleetCountsStore counts) {
        for (HostStatus status : HostStatus.values()) {
            Gauge.builder("skep.hosts", () -> counts.hosts(status))
                    .description("hosts of all orgs, by status")
                    .tag("status", status.label())
                    .register(registry);
        }
        Gauge.builder("skep.job.runs", counts::waiting)
                .description("runs of jobs that wait for their host, or that it holds")
                .tag("status", "pending")
                .register(registry);
        Gauge.builder("skep.job.runs", counts::running)
                .description("runs of jobs that wait for their host, or that it holds")
                .tag("status", "running")
                .register(registry);
    }

    /** What a SQLite file holds; a server tells its own figures. */
    void showSize(HostProcess process) {
        Database database = process.database();
        metrics.show(
                registry ->
                        database.usedBytes()
                                .ifPresent(
                                        _ ->
                                                Gauge.builder(
                                                                "skep.database.bytes",
                                                                () ->
                                                                        database.usedBytes()
                                                                                .orElse(0))
                                                        .description(
                                                                "what a SQLite file holds, without the space that is free in it")
                                                        .tag("of", process.host().kind().stored())
                                                        .register(registry)));
    }
}
