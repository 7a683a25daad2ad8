package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.DataDir;
import dev.skep.app.log.Logs;
import dev.skep.kernel.lifecycle.Lifecycle;
import java.util.List;

/**
 * Composes the modules into a process: each component is made here from its configuration, started
 * in order and closed in reverse by the {@link Lifecycle}.
 */
public final class Assembly {
    private final Configuration configuration;
    private final Lifecycle lifecycle;

    public Assembly(Configuration configuration, Lifecycle lifecycle) {
        this.configuration = configuration;
        this.lifecycle = lifecycle;
    }

    /**
     * Opens everything {@code skep up} runs and tells what it opened, one line each. A failure
     * closes what was open.
     */
    public List<String> up() {
        try {
            DataDir.prepare(configuration.dataDir());
            lifecycle.own("logs", Logs.open(configuration.dataDir()));
            // Components follow in dependency order: databases, hub, runner, supervisor, listener.
            return List.of(
                    "data dir " + configuration.dataDir(),
                    "nothing else yet: this version has no store, hub, runner or supervisor");
        } catch (RuntimeException | Error failure) {
            lifecycle.close();
            throw failure;
        }
    }
}
