package dev.skep.app.command;

import dev.skep.app.config.Setting;
import java.util.Arrays;
import java.util.List;

/** The flags that set what .env and the environment can set too. */
public final class SettingFlags extends DataDirFlag {
    @Override
    List<Setting> offered() {
        return Arrays.stream(Setting.values())
                .filter(setting -> !setting.flag().isEmpty())
                .toList();
    }
}
