package dev.skep.cli.command;

import dev.skep.cli.config.Setting;
import java.util.List;

/** The flags that choose a command's database. */
public final class DatabaseFlags extends DataDirFlag {
    @Override
    List<Setting> offered() {
        return List.of(Setting.DATA_DIR, Setting.DATABASE_URL);
    }
}
