package dev.skep.app.command;

import dev.skep.app.backup.Backup;
import dev.skep.app.config.Configuration;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.Exit;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts a data dir into one file. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = {
            "Writes databases, agents, settings and keys to one file, while everything runs.",
            "Keep the file as safe as the data dir: whoever has it is this host."
        })
final class BackupCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    @Parameters(paramLabel = "FILE", description = "Where to; - for standard output.")
    private String file = "";

    @Option(
            names = "--without-keys",
            description = "Leave out .env and the key files; restore them by hand.")
    private boolean withoutKeys;

    @Option(names = "--force", description = "Replace a file that is there.")
    private boolean force;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    BackupCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Configuration configuration = context.configuration(flags);
        var backup = new Backup(configuration, Program.version(), context.clock());
        if (file.equals("-")) {
            try (var progress = new TableProgress(context)) {
                backup.writeTo(System.out, !withoutKeys, progress::tell);
                System.out.flush();
            } catch (IOException e) {
                throw unwritable("standard output", e);
            }
            return Exit.OK.status();
        }
        Path target = context.workingFolder().resolve(file);
        if (Files.exists(target) && !force) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%s is there already; choose another name, or replace it with --force"
                            .formatted(target));
        }
        Backup.Summary summary = write(backup, target);
        if (json) {
            context.out()
                    .println(
                            Json.text(
                                    Map.of(
                                            "file", target.toString(),
                                            "databases", summary.databases(),
                                            "rows", summary.rows(),
                                            "files", summary.files())));
        } else {
            context.out()
                    .printf(
                            "%,d rows of %s and %d files are in %s%n",
                            summary.rows(),
                            String.join(" and ", summary.databases()),
                            summary.files(),
                            target);
        }
        return Exit.OK.status();
    }

    /** Under another name until it is whole and on the disk. */
    private Backup.Summary write(Backup backup, Path target) {
        Path unfinished = Backup.unfinished(target);
        try {
            Files.deleteIfExists(unfinished);
            Backup.Summary summary;
            try (FileChannel channel =
                            FileChannel.open(
                                    unfinished,
                                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                                    ownerOnly());
                    OutputStream out = Channels.newOutputStream(channel);
                    var progress = new TableProgress(context)) {
                summary = backup.writeTo(out, !withoutKeys, progress::tell);
                channel.force(true);
            }
            Files.move(
                    unfinished,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            return summary;
        } catch (IOException e) {
            throw unwritable(target.toString(), e);
        } finally {
            unfinished.toFile().delete();
        }
    }

    private static FileAttribute<?>[] ownerOnly() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    private static SkepException unwritable(String where, IOException e) {
        boolean full = String.valueOf(e.getMessage()).contains("No space left");
        return full
                ? new SkepException(
                        ErrorCode.DISK_FULL,
                        "no space left for %s; free some space on its disk".formatted(where),
                        e)
                : new SkepException(
                        ErrorCode.DATA_DIR_UNUSABLE,
                        "cannot write %s; choose a folder this user may write".formatted(where),
                        e);
    }
}
