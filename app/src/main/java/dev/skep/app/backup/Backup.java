package dev.skep.app.backup;

import dev.skep.cli.config.Configuration;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.backup.BackupRecord;
import dev.skep.store.backup.BackupWriter;
import dev.skep.store.backup.DatabaseDump;
import dev.skep.store.engine.Databases;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes a backup of a data dir, whether or not its process runs. */
public final class Backup {
    private final Configuration configuration;
    private final String version;
    private final InstantSource clock;

    public Backup(Configuration configuration, String version, InstantSource clock) {
        this.configuration = configuration;
        this.version = version;
        this.clock = clock;
    }

    /** What a backup holds. */
    public record Summary(List<String> databases, long rows, int files) {}

    /** Receives the progress by database and table. */
    @FunctionalInterface
    public interface Progress {
        void at(String database, String table, long done, long of);
    }

    /** Writes it; the stream is the caller's to close. */
    public Summary writeTo(OutputStream out, boolean withKeys, Progress progress)
            throws IOException {
        Path dataDir = configuration.dataDir();
        if (Files.exists(dataDir) && !Files.isExecutable(dataDir)) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "data dir %s may not be read by this user; run it as its owner"
                            .formatted(dataDir));
        }
        List<BackupDatabase> backupDatabases =
                List.of(BackupDatabase.values()).stream()
                        .filter(backupDatabase -> backupDatabase.isThere(configuration))
                        .toList();
        if (backupDatabases.isEmpty()) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "data dir %s has no database; check --data-dir".formatted(dataDir));
        }
        BackupWriter writer = new BackupWriter(out);
        writer.write(new BackupRecord.Header(facts(backupDatabases, withKeys)));
        List<String> files = BackupFiles.in(dataDir, withKeys);
        for (String path : files) {
            byte[] content = Files.readAllBytes(dataDir.resolve(path));
            writer.write(new BackupRecord.File(path, content));
        }
        long rows = 0;
        for (BackupDatabase backupDatabase : backupDatabases) {
            try (Database database =
                    Databases.openForInspection(backupDatabase.url(configuration))) {
                rows +=
                        new DatabaseDump(
                                        database,
                                        writer,
                                        (table, done, of) ->
                                                progress.at(
                                                        backupDatabase.stored(), table, done, of))
                                .write(backupDatabase.stored());
            }
        }
        writer.end();
        return new Summary(
                backupDatabases.stream().map(BackupDatabase::stored).toList(), rows, files.size());
    }

    private Map<String, String> facts(List<BackupDatabase> backupDatabases, boolean withKeys) {
        Map<String, String> facts = new HashMap<>();
        facts.put("made_by", version);
        facts.put("made_at", clock.instant().toString());
        facts.put("hostname", configuration.host().hostname());
        facts.put("keys", withKeys ? "yes" : "no");
        for (BackupDatabase backupDatabase : backupDatabases) {
            boolean file = backupDatabase.url(configuration) instanceof DatabaseUrl.Sqlite;
            facts.put(backupDatabase.stored(), file ? "sqlite" : "postgresql");
        }
        return facts;
    }
}
