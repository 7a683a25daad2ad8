package dev.skep.cli.config;

import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.store.DatabaseUrl;
import dev.skep.transport.http.ListenerConfig;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What is in force for this process, validated as a whole before anything is opened. */
public record Configuration(
        Path dataDir,
        HostConfig host,
        LinkConfig links,
        DatabaseUrl database,
        ListenConfig listen,
        ListenerConfig listener,
        RegistryConfig registry,
        JobsConfig jobs,
        AgentsConfig agents,
        RetentionConfig retention,
        List<SettingValue> inForce) {
    /** Reads and validates; all problems are reported together, one line each. */
    public static Configuration read(SettingSources sources, Supplier<String> machineName) {
        var problems = new ConfigProblems();
        SettingValue dataDirSetting = sources.dataDir();
        Path dataDir =
                sources.workingFolder().resolve(dataDirSetting.text()).toAbsolutePath().normalize();
        EnvFile envFile = EnvFile.read(dataDir.resolve(".env"), problems);

        Map<Setting, String> defaults = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            defaults.put(setting, setting.standard());
        }
        defaults.put(Setting.HOSTNAME, machineName.get());
        defaults.put(Setting.DATABASE_URL, "file:" + dataDir.resolve("hub.db"));
        Map<Setting, SettingValue> values = sources.resolve(envFile, defaults);

        BooleanSupplier enrolled =
                () ->
                        isEnrolled(HostKeyFile.in(dataDir, HostKind.RUNNER))
                                || isEnrolled(HostKeyFile.in(dataDir, HostKind.HUB));
        var host = HostConfig.read(of(values, Setting.HOSTNAME), problems);
        var links =
                LinkConfig.read(
                        of(values, Setting.HUB_URLS),
                        of(values, Setting.HUB_ACCESS_KEY),
                        of(values, Setting.ALLOW),
                        file(sources, of(values, Setting.TLS_TRUST)),
                        enrolled,
                        problems);
        var database =
                DatabaseSetting.read(
                        of(values, Setting.DATABASE_PROVIDER),
                        of(values, Setting.DATABASE_URL),
                        sources,
                        problems);
        var listen =
                ListenConfig.read(
                        of(values, Setting.LISTEN), of(values, Setting.PUBLIC_URL), problems);
        var listener = ListenerSettings.read(listen, values, sources, problems);
        var registry = RegistryConfig.read(values, problems);
        var jobs =
                JobsConfig.read(
                        of(values, Setting.QUEUE_URL),
                        of(values, Setting.PRIVATE_WEBHOOKS),
                        of(values, Setting.JOBS_AT_ONCE),
                        of(values, Setting.JOBS_USER),
                        problems);
        var agents =
                AgentsConfig.read(
                        of(values, Setting.SPEND_LIMIT),
                        of(values, Setting.SPEND_WINDOW),
                        of(values, Setting.WAIT_FOR_AGENTS),
                        of(values, Setting.APPROVAL_TIMEOUT),
                        () -> environment(dataDir, sources),
                        problems);
        var retention =
                RetentionConfig.read(
                        of(values, Setting.KEEP), of(values, Setting.KEEP_SIZE), problems);
        problems.throwIfAny();
        return new Configuration(
                dataDir,
                host,
                links,
                database,
                listen,
                listener,
                registry,
                jobs,
                agents,
                retention,
                List.copyOf(values.values()));
    }

    /** Wrong lines were reported at the start. */
    private static Map<String, String> environment(Path dataDir, SettingSources sources) {
        return EnvFile.read(dataDir.resolve(".env"), new ConfigProblems())
                .over(sources.environment());
    }

    /** A file, relative to the file that names it. */
    private static Optional<Path> file(SettingSources sources, SettingValue value) {
        return Optional.of(value.text())
                .filter(text -> !text.isEmpty())
                .map(sources.folderOf(value.origin())::resolve);
    }

    /** A host that joined a hub proves itself with its own key. */
    private static boolean isEnrolled(HostKeyFile file) {
        return file.read().filter(content -> !content.hubs().isEmpty()).isPresent();
    }

    static SettingValue of(Map<Setting, SettingValue> values, Setting setting) {
        return values.getOrDefault(
                setting, new SettingValue(setting, "", new SettingOrigin.Default()));
    }

    /** The same in another folder. */
    public Configuration in(Path other) {
        return new Configuration(
                other, host, links, database, listen, listener, registry, jobs, agents, retention,
                inForce);
    }
}
