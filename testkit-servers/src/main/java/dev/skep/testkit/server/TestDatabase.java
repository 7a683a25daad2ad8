package dev.skep.testkit.server;

import dev.skep.store.DatabaseUrl;
import java.nio.file.Path;

/** The databases every store must behave the same on. */
public enum TestDatabase {
    SQLITE {
        @Override
        public DatabaseUrl create(Path folder) {
            return new DatabaseUrl.Sqlite(folder.resolve("test.db"));
        }
    },
    POSTGRES {
        @Override
        public DatabaseUrl create(Path folder) {
            return PostgresServer.newDatabase();
        }
    };

    /** A place for a database that does not exist yet; SQLite puts it in the folder. */
    public abstract DatabaseUrl create(Path folder);
}
