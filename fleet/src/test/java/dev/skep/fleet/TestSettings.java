package dev.skep.fleet;

import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.DataDir;
import dev.skep.cli.config.Setting;
import dev.skep.cli.config.SettingSources;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Configurations as a user would give them, by the seed's names. */
final class TestSettings {
    static final String ACCESS_KEY = "the-key-of-this-fleet";

    private TestSettings() {}

    static Configuration hub(Path dataDir, int port, String database) {
        Map<Setting, String> flags = new HashMap<>();
        flags.put(Setting.LISTEN, "127.0.0.1:" + port);
        if (!database.isEmpty()) {
            flags.put(Setting.DATABASE_URL, database);
        }
        return read(dataDir, flags, Map.of("HUB_ACCESS_KEY", ACCESS_KEY, "NAISYS_HOSTNAME", "hub"));
    }

    /** A hub that is reached by a name or address that it cannot know. */
    static Configuration hubBehind(String name, Path dataDir, int port) {
        return read(
                dataDir,
                Map.of(Setting.LISTEN, "127.0.0.1:" + port, Setting.NAMES, name),
                Map.of("HUB_ACCESS_KEY", ACCESS_KEY, "NAISYS_HOSTNAME", "hub"));
    }

    /** A hub that joins others. */
    static Configuration hubAt(
            Path dataDir, int port, String name, String database, List<String> hubs) {
        return read(
                dataDir,
                Map.of(Setting.LISTEN, "127.0.0.1:" + port, Setting.DATABASE_URL, database),
                Map.of(
                        "HUB_ACCESS_KEY",
                        ACCESS_KEY,
                        "NAISYS_HOSTNAME",
                        name,
                        "HUB_URLS",
                        String.join(",", hubs)));
    }

    static Configuration runner(Path dataDir, String name, List<String> hubs) {
        return read(
                dataDir,
                Map.of(Setting.LISTEN, "127.0.0.1:0"),
                Map.of(
                        "HUB_ACCESS_KEY",
                        ACCESS_KEY,
                        "NAISYS_HOSTNAME",
                        name,
                        "HUB_URLS",
                        String.join(",", hubs)));
    }

    /** A runner whose agents find the commands of this machine, and that takes more of them in. */
    static Configuration runnerWithAgents(Path dataDir, String name, String hub) {
        return runnerOf(
                dataDir,
                Map.of("NAISYS_HOSTNAME", name, "HUB_URLS", hub, "SKEP_ALLOW", "steer,agents"));
    }

    /** A runner with agents and settings of its own, among them the hub. */
    static Configuration runnerOf(Path dataDir, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("HUB_ACCESS_KEY", ACCESS_KEY);
        environment.putAll(more);
        return read(dataDir, Map.of(Setting.LISTEN, "127.0.0.1:0"), environment);
    }

    /** A hub with a port for nodes. */
    static Configuration hubWithNodes(Path dataDir) {
        return hubWithNodes(dataDir, "file:hub.db");
    }

    static Configuration hubWithNodes(Path dataDir, String database) {
        return read(
                dataDir,
                Map.of(
                        Setting.LISTEN,
                        "127.0.0.1:0",
                        Setting.REGISTRY_PORT,
                        "0",
                        Setting.DATABASE_URL,
                        database),
                Map.of("HUB_ACCESS_KEY", ACCESS_KEY, "NAISYS_HOSTNAME", "hub"));
    }

    /** A runner with a port for nodes. */
    static Configuration runnerWithNodes(Path dataDir, String hub) {
        return read(
                dataDir,
                Map.of(Setting.LISTEN, "127.0.0.1:0", Setting.REGISTRY_PORT, "0"),
                Map.of("HUB_ACCESS_KEY", ACCESS_KEY, "NAISYS_HOSTNAME", "box", "HUB_URLS", hub));
    }

    /** A hub and a runner in one process, with a port for nodes. */
    static Configuration bothWithNodes(Path dataDir) {
        return read(
                dataDir,
                Map.of(Setting.LISTEN, "127.0.0.1:0", Setting.REGISTRY_PORT, "0"),
                Map.of("HUB_ACCESS_KEY", ACCESS_KEY, "NAISYS_HOSTNAME", "both"));
    }

    /** The whole product in one process. */
    static Configuration up(Path dataDir) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("HUB_ACCESS_KEY", ACCESS_KEY);
        return read(dataDir, Map.of(Setting.LISTEN, "127.0.0.1:0"), environment);
    }

    private static Configuration read(
            Path dataDir, Map<Setting, String> flags, Map<String, String> environment) {
        Map<Setting, String> all = new HashMap<>(flags);
        all.putIfAbsent(Setting.REGISTRY_PORT, "none");
        all.put(Setting.DATA_DIR, dataDir.toString());
        Configuration configuration =
                Configuration.read(
                        new SettingSources(all, environment, dataDir, dataDir), () -> "machine");
        DataDir.prepare(configuration.dataDir());
        return configuration;
    }
}
