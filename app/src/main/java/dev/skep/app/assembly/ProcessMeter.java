package dev.skep.app.assembly;

import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.Database;
import dev.skep.transport.http.Metrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The process's own figures. They are read on each scrape: loading the JVM's beans would take a
 * tenth of the start-up time.
 */
final class ProcessMeter {
    private static final List<String> EVENTS =
            List.of("rows_stored", "host_online", "host_offline", "job_created", "job_run_started");

    private final Metrics metrics;

    ProcessMeter(Metrics metrics) {
        this.metrics = metrics;
    }

    /** Memory, processor and threads. */
    void showProcess() {
        metrics.show(ProcessMeter::showProcess);
    }

    private static void showProcess(MeterRegistry registry) {
        // A gauge holds its object weakly, and the runtime is never collected.
        Runtime runtime = Runtime.getRuntime();
        Gauge.builder("skep.process.heap.bytes", () -> runtime.totalMemory() - runtime.freeMemory())
                .description("heap in use")
                .register(registry);
        Gauge.builder("skep.process.heap.most.bytes", runtime::maxMemory)
                .description("the most the heap may become")
                .register(registry);
        Gauge.builder(
                        "skep.process.threads",
                        () -> ManagementFactory.getThreadMXBean().getThreadCount())
                .description("threads of the operating system; virtual ones are not counted")
                .register(registry);
        TimeGauge.builder(
                        "skep.process.uptime",
                        () -> ManagementFactory.getRuntimeMXBean().getUptime(),
                        TimeUnit.MILLISECONDS)
                .description("since the start")
                .register(registry);
        FunctionCounter.builder("skep.process.cpu.seconds", runtime, _ -> cpuSeconds())
                .description("time on a core since the start")
                .register(registry);
        FunctionCounter.builder("skep.process.gc.seconds", runtime, _ -> gcSeconds())
                .description("time the garbage collector took since the start")
                .register(registry);
    }

    private static double cpuSeconds() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis()
                / 1e3;
    }

    private static double gcSeconds() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum()
                / 1e3;
    }

    /** The size of a SQLite file; a server reports its own figures. */
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

    /** What happens in the fleet, as a hub sees it; what has not happened yet is shown as 0. */
    void showEvents(Lifecycle lifecycle, EventBus eventBus) {
        metrics.show(registry -> EVENTS.forEach(name -> events(registry, name)));
        lifecycle.own(
                "figures",
                eventBus.subscribe(event -> events(metrics.registry(), name(event)).increment()));
    }

    private static Counter events(MeterRegistry registry, String name) {
        return Counter.builder("skep.events")
                .description(
                        "what happened in the fleet, as a hub saw it: rows stored, hosts that came or went, jobs and runs")
                .tag("event", name)
                .register(registry);
    }

    private static String name(FleetEvent event) {
        return switch (event) {
            case FleetEvent.RowsReceived _ -> "rows_stored";
            case FleetEvent.HostEnrolled _ -> "host_enrolled";
            case FleetEvent.HostRevoked _ -> "host_revoked";
            case FleetEvent.HostStatusChanged changed -> "host_" + changed.status();
            case FleetEvent.JobCreated _ -> "job_created";
            case FleetEvent.JobRunStarted _ -> "job_run_started";
            case FleetEvent.JobRunDone done -> "job_run_" + done.status();
        };
    }
}
