package dev.skep.app.backup;

import dev.skep.app.assembly.HostDatabases;
import dev.skep.cli.config.Configuration;
import dev.skep.store.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;

/** The databases of a data dir, by their names in a backup. */
enum BackupDatabase {
    RUNNER("runner") {
        @Override
        DatabaseUrl url(Configuration configuration) {
            return HostDatabases.runnerDatabase(configuration);
        }
    },
    HUB("hub") {
        @Override
        DatabaseUrl url(Configuration configuration) {
            return configuration.database();
        }
    };

    private final String stored;

    BackupDatabase(String stored) {
        this.stored = stored;
    }

    /** Its name in a backup. */
    String stored() {
        return stored;
    }

    abstract DatabaseUrl url(Configuration configuration);

    boolean isThere(Configuration configuration) {
        return !(url(configuration) instanceof DatabaseUrl.Sqlite(Path file)) || Files.exists(file);
    }
}
