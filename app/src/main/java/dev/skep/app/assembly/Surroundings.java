package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.kernel.lifecycle.Lifecycle;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;

/**
 * What every part of a process shares.
 *
 * @param home the folder of the person who started it
 * @param version as {@code skep --version} tells it
 */
record Surroundings(
        Lifecycle lifecycle,
        Configuration configuration,
        PrometheusMeterRegistry meters,
        Path home,
        String version) {}
