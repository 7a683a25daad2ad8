package dev.skep.app.command;

import dev.skep.app.config.Setting;
import picocli.CommandLine.Option;

/** The flags that say which database a command is about. */
class DatabaseFlags extends DataDirFlag {
    @Option(
            names = "--database",
            paramLabel = "URL",
            description =
                    "The hub's database: file:PATH or postgresql://… (default: hub.db in the data dir).")
    final void database(String value) {
        give(Setting.DATABASE_URL, value);
    }
}
