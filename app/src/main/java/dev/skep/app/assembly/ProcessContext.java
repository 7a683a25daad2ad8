package dev.skep.app.assembly;

import dev.skep.app.log.LogSetup;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.DataDir;
import dev.skep.directory.module.FeatureModule;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.transport.http.Metrics;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * What every part of a process shares.
 *
 * @param home the folder of the person who started it
 * @param version as {@code skep --version} prints it
 */
record ProcessContext(
        Lifecycle lifecycle,
        Configuration configuration,
        Metrics meters,
        Path home,
        String version) {
    /** With new metrics. */
    ProcessContext(Lifecycle lifecycle, Configuration configuration, Path home, String version) {
        this(lifecycle, configuration, new Metrics(), home, version);
    }

    /** Opens the data dir and its log, then the parts; a failure closes what was open. */
    <T> T open(Supplier<T> parts) {
        return open(
                () -> {
                    DataDir.prepare(configuration.dataDir());
                    return LogSetup.open(configuration.dataDir());
                },
                parts);
    }

    /** As above, for parts that write nothing: the log goes to standard error only. */
    <T> T openWithoutFolder(Supplier<T> parts) {
        return open(LogSetup::openWithoutFile, parts);
    }

    /** Opens a module and shows its figures. */
    <M extends FeatureModule> M opened(M module) {
        module.open(lifecycle);
        module.showMeters(meters);
        return module;
    }

    private <T> T open(Supplier<LogSetup> logSetup, Supplier<T> parts) {
        try {
            lifecycle.own("logs", logSetup.get());
            new ProcessMeter(meters).showProcess();
            T opened = parts.get();
            // In the background, so that the first request does not wait for the figures.
            Thread.startVirtualThread(meters::registry);
            return opened;
        } catch (RuntimeException | Error failure) {
            lifecycle.close();
            throw failure;
        }
    }
}
