package dev.skep.app.backup;

import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.DataDir;
import dev.skep.cli.config.Setting;
import dev.skep.cli.config.SettingValue;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.backup.BackupReader;
import dev.skep.store.backup.BackupRecord;
import dev.skep.store.backup.DatabaseLoad;
import dev.skep.store.engine.Databases;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a data dir out of a backup. Everything is verified first and then made in a folder beside
 * the data dir, which takes its place by being renamed; what was there is kept under another name.
 *
 * <p>The databases it makes open a new epoch at their next start, as every database does, so hubs
 * notice that this host knows less than it once did, and give it back what it lost.
 */
public final class Restore {
    private final Configuration configuration;
    private final InstantSource clock;

    public Restore(Configuration configuration, InstantSource clock) {
        this.configuration = configuration;
        this.clock = clock;
    }

    /**
     * What was done.
     *
     * @param before where the data dir that was there is kept
     */
    public record Summary(long rows, int files, Optional<Path> before) {}

    public Summary from(Path backup, boolean force, Consumer<String> progress) {
        progress.accept("verifying " + backup);
        BackupContents contents = BackupContents.verified(backup);
        refuseUnsaidDatabase(contents);
        Path dataDir = configuration.dataDir();
        refuseUsed(dataDir, force);
        if (dataDir.getParent() == null) {
            throw unusable(dataDir, null);
        }
        Path beside = dataDir.resolveSibling(dataDir.getFileName() + ".restoring");
        try {
            FolderSwap.delete(beside);
            DataDir.createPrivate(beside);
            int files;
            long rows;
            try {
                files = files(backup, beside);
                rows = databases(backup, contents, beside, force, progress);
            } catch (IOException | RuntimeException failure) {
                // It holds this host's keys, and no one would look for them there.
                FolderSwap.delete(beside);
                throw failure;
            }
            return new Summary(rows, files, FolderSwap.into(dataDir, beside, clock.instant()));
        } catch (IOException e) {
            throw unusable(dataDir, e);
        }
    }

    private long databases(
            Path backup,
            BackupContents contents,
            Path beside,
            boolean force,
            Consumer<String> progress)
            throws IOException {
        long rows = 0;
        for (BackupDatabase backupDatabase : BackupDatabase.values()) {
            if (contents.has(backupDatabase)) {
                progress.accept("filling the %s database".formatted(backupDatabase.stored()));
                rows += fill(backup, backupDatabase, beside, force);
            }
        }
        return rows;
    }

    private int files(Path backup, Path folder) throws IOException {
        int files = 0;
        try (BackupReader reader = BackupReader.open(backup)) {
            for (BackupRecord record = reader.next(); record != null; record = reader.next()) {
                if (record instanceof BackupRecord.File(String path, byte[] content)) {
                    Path file = folder.resolve(path);
                    DataDir.createPrivate(file.resolveSibling("."));
                    DurableFiles.replace(file, DurableFiles.Access.OWNER_ONLY, content);
                    files++;
                }
            }
        }
        return files;
    }

    private long fill(Path backup, BackupDatabase backupDatabase, Path beside, boolean force)
            throws IOException {
        DatabaseUrl url = backupDatabase.url(configuration);
        var load = new DatabaseLoad(backup, backupDatabase.stored(), clock);
        if (!(url instanceof DatabaseUrl.Sqlite(Path file))) {
            return load.into(url, force);
        }
        Path dataDir = configuration.dataDir();
        if (file.startsWith(dataDir)) {
            Path inside = beside.resolve(dataDir.relativize(file));
            long rows = load.into(new DatabaseUrl.Sqlite(inside), false);
            Files.deleteIfExists(inside.resolveSibling(inside.getFileName() + ".lock"));
            return rows;
        }
        return load.into(url, force);
    }

    /** A hub that was on a server must not end up by accident in an unused file. */
    private void refuseUnsaidDatabase(BackupContents contents) {
        boolean wasServer =
                "postgresql".equals(contents.facts().getOrDefault(BackupDatabase.HUB.stored(), ""));
        boolean said =
                configuration.inForce().stream()
                        .filter(value -> value.setting() == Setting.DATABASE_URL)
                        .noneMatch(SettingValue::isDefault);
        if (wasServer && !said) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "the backup holds a hub that was on PostgreSQL; say where it goes with --database postgresql://… or file:PATH");
        }
    }

    private void refuseUsed(Path dataDir, boolean force) {
        for (BackupDatabase backupDatabase : BackupDatabase.values()) {
            if (backupDatabase.url(configuration) instanceof DatabaseUrl.Sqlite(Path file)) {
                Databases.holder(file)
                        .ifPresent(
                                pid -> {
                                    throw new SkepException(
                                            ErrorCode.DATABASE_BUSY,
                                            "%s is in use by process %s; stop it first"
                                                    .formatted(file, pid));
                                });
            }
        }
        if (!force && !isEmpty(dataDir)) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "data dir %s is not empty; choose another with --data-dir, or put it aside with --force"
                            .formatted(dataDir));
        }
    }

    private static boolean isEmpty(Path folder) {
        if (Files.notExists(folder)) {
            return true;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    private static SkepException unusable(Path folder, @Nullable IOException e) {
        return new SkepException(
                ErrorCode.DATA_DIR_UNUSABLE,
                "data dir %s cannot be made or replaced; make the folder above it writable, or choose another with --data-dir"
                        .formatted(folder),
                e);
    }
}
