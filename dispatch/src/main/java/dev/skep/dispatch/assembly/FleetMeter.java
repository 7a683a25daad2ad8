package dev.skep.dispatch.assembly;

import dev.skep.dispatch.host.HostStatus;
import dev.skep.dispatch.view.FleetCountsStore;
import dev.skep.store.Database;
import dev.skep.transport.http.Metrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Hosts by status, and the runs that wait or run, read on each scrape. */
final class FleetMeter {
    private FleetMeter() {}

    static void show(Metrics metrics, Database database) {
        var counts = new FleetCountsStore(database);
        metrics.show(registry -> show(registry, counts));
    }

    private static void show(MeterRegistry registry, FleetCountsStore counts) {
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
}
