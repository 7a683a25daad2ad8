package dev.skep.app.command;

import dev.skep.app.config.Setting;
import java.util.EnumMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The one flag a command needs that asks a running process, or its database when it is stopped. */
public class DataDirFlag {
    private final Map<Setting, String> given = new EnumMap<>(Setting.class);

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            description = "Databases, agents, keys and logs (default: ~/.skep).")
    void dataDir(String value) {
        give(Setting.DATA_DIR, value);
    }

    final void give(Setting setting, String value) {
        given.put(setting, value);
    }

    final Map<Setting, String> given() {
        return given;
    }
}
