package dev.skep.app.doctor;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.DatabaseInspection;
import dev.skep.store.engine.Databases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A database opened for reading, also beside a running process. */
final class ReadableDatabase {
    private ReadableDatabase() {}

    /** Empty if there is none, or none of this version: another check reports that. */
    static Optional<Database> of(DatabaseUrl url) {
        boolean none = url instanceof DatabaseUrl.Sqlite(Path file) && Files.notExists(file);
        DatabaseInspection seen = none ? null : DatabaseInspection.of(url);
        return seen == null || !seen.damage().isEmpty() || seen.schema() < seen.newest()
                ? Optional.empty()
                : Optional.of(Databases.openReadOnly(url));
    }
}
