package dev.skep.transport.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where figures are counted and shown. The library behind it is loaded on first use: loading takes
 * a tenth of the start-up time. Thread-safe.
 */
public final class Metrics {
    private final List<Consumer<MeterRegistry>> toShow = new ArrayList<>();
    private volatile @Nullable PrometheusMeterRegistry made;

    /** Adds figures that are read on each scrape. */
    public synchronized void show(Consumer<MeterRegistry> figures) {
        MeterRegistry registry = made;
        if (registry == null) {
            toShow.add(figures);
        } else {
            figures.accept(registry);
        }
    }

    /** To count something. */
    public MeterRegistry registry() {
        return prometheus();
    }

    /** All of it in Prometheus' text format. */
    public String scrape() {
        return prometheus().scrape();
    }

    private PrometheusMeterRegistry prometheus() {
        PrometheusMeterRegistry registry = made;
        return registry == null ? make() : registry;
    }

    private synchronized PrometheusMeterRegistry make() {
        PrometheusMeterRegistry registry = made;
        if (registry == null) {
            registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            for (Consumer<MeterRegistry> figures : toShow) {
                figures.accept(registry);
            }
            toShow.clear();
            made = registry;
        }
        return registry;
    }
}
