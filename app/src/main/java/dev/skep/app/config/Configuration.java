package dev.skep.app.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What is in force for this process, validated as a whole before anything is opened. */
public record Configuration(
        Path dataDir,
        HostConfig host,
        LinkConfig links,
        DatabaseConfig database,
        ListenConfig listen,
        RegistryConfig registry,
        List<SettingValue> inForce) {
    /** The file an enrolled host keeps its key in. */
    public static final String HOST_KEY_FILE = "host.key";

    /** Reads and validates; all problems are told together, one line each. */
    public static Configuration read(SettingSources sources, Supplier<String> machineName) {
        var problems = new Problems();
        SettingValue dataDirSetting = sources.dataDir();
        Path dataDir = sources.resolve(dataDirSetting.text(), dataDirSetting.origin());
        EnvFile envFile = EnvFile.read(dataDir.resolve(".env"), problems);

        Map<Setting, String> defaults = new EnumMap<>(Setting.class);
        defaults.put(Setting.HOSTNAME, machineName.get());
        defaults.put(Setting.LISTEN, ListenConfig.DEFAULT);
        defaults.put(Setting.DATABASE_URL, "file:" + dataDir.resolve("hub.db"));
        Map<Setting, SettingValue> values = sources.inForce(envFile, defaults);

        boolean enrolled = Files.exists(dataDir.resolve(HOST_KEY_FILE));
        var configuration =
                new Configuration(
                        dataDir,
                        HostConfig.read(of(values, Setting.HOSTNAME), problems),
                        LinkConfig.read(
                                of(values, Setting.HUB_URLS),
                                of(values, Setting.HUB_ACCESS_KEY),
                                enrolled,
                                problems),
                        DatabaseConfig.read(
                                of(values, Setting.DATABASE_PROVIDER),
                                of(values, Setting.DATABASE_URL),
                                sources,
                                problems),
                        ListenConfig.read(of(values, Setting.LISTEN), problems),
                        RegistryConfig.read(of(values, Setting.REGISTRY_TOKEN)),
                        List.copyOf(values.values()));
        problems.throwIfAny();
        return configuration;
    }

    private static SettingValue of(Map<Setting, SettingValue> values, Setting setting) {
        return values.getOrDefault(setting, new SettingValue(setting, "", new Origin.Default()));
    }
}
