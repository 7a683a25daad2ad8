package dev.skep.cli.config;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * All sources of settings: flags, the environment, and the folders that relative paths start from.
 */
public record SettingSources(
        Map<Setting, String> flags,
        Map<String, String> environment,
        Path workingFolder,
        Path home) {

    /** The data dir comes from flag or environment only, since .env lies in it. */
    SettingValue dataDir() {
        return find(Setting.DATA_DIR, home.resolve(".skep").toString(), Map.of(), workingFolder);
    }

    /** Flags before environment before .env before defaults. */
    Map<Setting, SettingValue> resolve(EnvFile envFile, Map<Setting, String> defaults) {
        Map<Setting, SettingValue> values = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            String otherwise = defaults.getOrDefault(setting, "");
            values.put(setting, find(setting, otherwise, envFile.lines(), envFile.file()));
        }
        values.put(Setting.DATA_DIR, dataDir());
        return values;
    }

    private SettingValue find(
            Setting setting, String otherwise, Map<String, EnvFile.Line> lines, Path envFile) {
        String flag = flags.get(setting);
        if (flag != null) {
            return new SettingValue(setting, flag.strip(), new SettingOrigin.Flag(setting.flag()));
        }
        for (String name : setting.names()) {
            String value = environment.getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                return new SettingValue(setting, value, new SettingOrigin.Environment(name));
            }
        }
        for (String name : setting.names()) {
            EnvFile.Line line = lines.get(name);
            if (line != null && !line.value().isEmpty()) {
                var origin = new SettingOrigin.EnvFile(envFile, line.number(), name);
                return new SettingValue(setting, line.value(), origin);
            }
        }
        return new SettingValue(setting, otherwise, new SettingOrigin.Default());
    }

    /**
     * The base of a relative path: the folder of the file that contains it, else the working
     * folder.
     */
    Path folderOf(SettingOrigin origin) {
        return origin instanceof SettingOrigin.EnvFile(Path file, int _, String _)
                ? file.toAbsolutePath().resolveSibling(".").normalize()
                : workingFolder;
    }
}
