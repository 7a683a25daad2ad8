package dev.skep.app.config;

import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.store.DatabaseUrl;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What is in force for this process, validated as a whole before anything is opened. */
public record Configuration(
        Path dataDir,
        HostConfig host,
        LinkConfig links,
        DatabaseUrl database,
        ListenConfig listen,
        RegistryConfig registry,
        List<SettingValue> inForce) {
    /** Reads and validates; all problems are told together, one line each. */
    public static Configuration read(SettingSources sources, Supplier<String> machineName) {
        var problems = new Problems();
        SettingValue dataDirSetting = sources.dataDir();
        Path dataDir =
                sources.workingFolder().resolve(dataDirSetting.text()).toAbsolutePath().normalize();
        EnvFile envFile = EnvFile.read(dataDir.resolve(".env"), problems);

        Map<Setting, String> defaults = new EnumMap<>(Setting.class);
        defaults.put(Setting.HOSTNAME, machineName.get());
        defaults.put(Setting.LISTEN, ListenConfig.DEFAULT);
        defaults.put(Setting.DATABASE_URL, "file:" + dataDir.resolve("hub.db"));
        Map<Setting, SettingValue> values = sources.inForce(envFile, defaults);

        BooleanSupplier enrolled = () -> isEnrolled(HostKeyFile.in(dataDir, HostKind.RUNNER));
        var configuration =
                new Configuration(
                        dataDir,
                        HostConfig.read(of(values, Setting.HOSTNAME), problems),
                        LinkConfig.read(
                                of(values, Setting.HUB_URLS),
                                of(values, Setting.HUB_ACCESS_KEY),
                                enrolled,
                                problems),
                        DatabaseSetting.read(
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

    /** A host that joined a hub proves itself with its own key. */
    private static boolean isEnrolled(HostKeyFile file) {
        return file.read().filter(content -> !content.hubs().isEmpty()).isPresent();
    }

    private static SettingValue of(Map<Setting, SettingValue> values, Setting setting) {
        return values.getOrDefault(setting, new SettingValue(setting, "", new Origin.Default()));
    }
}
