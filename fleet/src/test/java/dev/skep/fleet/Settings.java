package dev.skep.fleet;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.DataDir;
import dev.skep.app.config.Setting;
import dev.skep.app.config.SettingSources;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Configurations as a user would give them, by the seed's names. */
final class Settings {
    static final String ACCESS_KEY = "the-key-of-this-fleet";

    private Settings() {}

    static Configuration hub(Path dataDir, int port, String database) {
        Map<Setting, String> flags = new HashMap<>();
        flags.put(Setting.LISTEN, "127.0.0.1:" + port);
        if (!database.isEmpty()) {
            flags.put(Setting.DATABASE_URL, database);
        }
        return read(dataDir, flags, Map.of("HUB_ACCESS_KEY", ACCESS_KEY, "NAISYS_HOSTNAME", "hub"));
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

    /** A runner whose agents find the commands of this machine. */
    static Configuration runnerWithAgents(Path dataDir, String name, String hub) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("HUB_ACCESS_KEY", ACCESS_KEY);
        environment.put("NAISYS_HOSTNAME", name);
        environment.put("HUB_URLS", hub);
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
