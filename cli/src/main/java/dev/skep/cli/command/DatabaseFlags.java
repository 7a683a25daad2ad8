package dev.skep.cli.command;

import dev.skep.cli.config.Setting;
import java.util.List;

/** The flags that say which database a command is about. */
public final class DatabaseFlags extends DataDirFlag {
    @Override
    List<Setting> offered() {
        return List.of(Setting.DATA_DIR, Setting.DATABASE_URL);
    }
}
