package dev.skep.runner;

import dev.skep.models.money.SpendLimit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a runner is set up.
 *
 * @param environment what {@code ${env.NAME}} means: the data folder's {@code .env} over the
 *     process's variables
 * @param totalLimit what all agents together may spend, or null
 * @param waitForHubs how long hubs may be silent that are to give lost agents back
 * @param approvalTimeout how long commands wait for a person if the agent's file does not say
 */
public record RunnerConfig(
        Path dataDir,
        Map<String, String> environment,
        @Nullable SpendLimit totalLimit,
        Duration waitForHubs,
        Duration approvalTimeout) {
    /** How long it is unless set. */
    public static final Duration USUAL_APPROVAL_TIMEOUT = Duration.ofMinutes(10);

    /** With the usual time for approvals. */
    public RunnerConfig(
            Path dataDir,
            Map<String, String> environment,
            @Nullable SpendLimit totalLimit,
            Duration waitForHubs) {
        this(dataDir, environment, totalLimit, waitForHubs, USUAL_APPROVAL_TIMEOUT);
    }

    public RunnerConfig {
        environment = Map.copyOf(environment);
    }

    public Path agentsFolder() {
        return dataDir.resolve("agents");
    }

    /** Where programs are looked for. */
    public String searchPath() {
        return environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    }

    /** Where an agent's shell starts by default. */
    public Path workFolder(String username) {
        // Jobs had the folder of that name, and some may still lie there; no name has a dot.
        return dataDir.resolve("work").resolve(username.equals("jobs") ? "agent.jobs" : username);
    }

    /** The homes of the programs whose tools agents use. No agent has a name that begins so. */
    public Path toolsFolder() {
        return dataDir.resolve("work").resolve(".tools");
    }

    /** What agents looked at; no agent can read it. */
    public Path imagesFolder() {
        return dataDir.resolve("images");
    }

    Path toolsFolder(String username) {
        return toolsFolder().resolve(username);
    }
}
