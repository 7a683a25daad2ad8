package dev.skep.app.assembly;

import dev.skep.kernel.event.Events;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.lifecycle.Lifecycle;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * The process's own figures. They are read when somebody asks: the JVM's beans would take a tenth
 * of a start.
 */
final class ProcessMeter {
    private final MeterRegistry meters;

    ProcessMeter(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Memory, processor and threads. */
    void showProcess() {
        Runtime runtime = Runtime.getRuntime();
        Gauge.builder("skep.process.heap.bytes", () -> runtime.totalMemory() - runtime.freeMemory())
                .register(meters);
        Gauge.builder("skep.process.heap.most.bytes", runtime::maxMemory).register(meters);
        Gauge.builder(
                        "skep.process.threads",
                        () -> ManagementFactory.getThreadMXBean().getThreadCount())
                .register(meters);
        TimeGauge.builder(
                        "skep.process.uptime",
                        () -> ManagementFactory.getRuntimeMXBean().getUptime(),
                        TimeUnit.MILLISECONDS)
                .register(meters);
        FunctionCounter.builder("skep.process.cpu.seconds", this, ProcessMeter::cpuSeconds)
                .register(meters);
        FunctionCounter.builder("skep.process.gc.seconds", this, ProcessMeter::gcSeconds)
                .register(meters);
    }

    private double cpuSeconds() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis()
                / 1e3;
    }

    private double gcSeconds() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum()
                / 1e3;
    }

    /** Links that are open, of a {@code hub} or a {@code runner}. */
    void showLinks(String end, IntSupplier open) {
        Gauge.builder("skep.links", open::getAsInt).tag("end", end).register(meters);
    }

    /** What happens in the fleet, as a hub sees it. */
    void showEvents(Lifecycle lifecycle, Events events) {
        lifecycle.own("figures", events.subscribe(this::count));
    }

    private void count(FleetEvent event) {
        meters.counter("skep.events", "event", name(event)).increment();
    }

    private static String name(FleetEvent event) {
        return switch (event) {
            case FleetEvent.RowsStored _ -> "rows_stored";
            case FleetEvent.HostEnrolled _ -> "host_enrolled";
            case FleetEvent.HostRevoked _ -> "host_revoked";
            case FleetEvent.HostStatusChanged changed -> "host_" + changed.status();
            case FleetEvent.JobCreated _ -> "job_created";
            case FleetEvent.JobRunStarted _ -> "job_run_started";
            case FleetEvent.JobRunDone done -> "job_run_" + done.status();
        };
    }
}
