package dev.skep.app.backup;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.backup.BackupReader;
import dev.skep.store.backup.BackupRecord;
import dev.skep.store.migration.Migrations;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a backup holds, known once all of it was read and its sum compared.
 *
 * @param databases by name
 */
record BackupContents(
        Map<String, String> facts, List<String> databases, List<String> files, long rows) {

    /** Reads the whole file; one that is damaged, foreign or newer is refused. */
    static BackupContents verified(Path backup) {
        Map<String, String> facts = new HashMap<>();
        List<String> databases = new ArrayList<>();
        List<String> files = new ArrayList<>();
        long rows = 0;
        try (BackupReader reader = BackupReader.open(backup)) {
            for (BackupRecord record = reader.next(); record != null; record = reader.next()) {
                switch (record) {
                    case BackupRecord.Header(Map<String, String> stored) -> facts.putAll(stored);
                    case BackupRecord.File(String path, _) -> files.add(allowed(backup, path));
                    case BackupRecord.Schema(String name, Map<Integer, String> steps) -> {
                        Migrations.shipped().having(steps, "backup " + backup);
                        databases.add(name);
                    }
                    case BackupRecord.Table _ -> {}
                    case BackupRecord.Row _ -> rows++;
                }
            }
        }
        return new BackupContents(facts, databases, files, rows);
    }

    private static String allowed(Path backup, String path) {
        if (!BackupFiles.allows(path)) {
            throw new SkepException(
                    ErrorCode.BACKUP_DAMAGED,
                    "backup %s holds a file %s that no backup has; use another one"
                            .formatted(backup, path));
        }
        return path;
    }

    boolean has(BackupDatabase backupDatabase) {
        return databases.contains(backupDatabase.stored());
    }
}
