package dev.skep.runner;

import dev.skep.runner.money.SpendLimit;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a runner is set up.
 *
 * @param environment what {@code ${env.NAME}} means: the data folder's {@code .env} over the
 *     process's variables
 * @param totalLimit what all agents together may spend, or null
 */
public record RunnerConfig(
        Path dataDir, Map<String, String> environment, @Nullable SpendLimit totalLimit) {
    public RunnerConfig {
        environment = Map.copyOf(environment);
    }

    public Path agentsFolder() {
        return dataDir.resolve("agents");
    }

    /** Where an agent's shell starts unless its file says otherwise. */
    public Path workFolder(String username) {
        return dataDir.resolve("work").resolve(username);
    }
}
