package dev.skep.app.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
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
import java.util.Set;

/** A file a command writes: there when it is whole and on the disk, or not at all. */
record WholeFile(Path target) {
    /** What is written, and what there is to tell about it. */
    @FunctionalInterface
    interface Content<T> {
        T writeTo(OutputStream out) throws IOException;
    }

    static WholeFile at(Path target, boolean replace) {
        if (Files.exists(target) && !replace) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%s is there already; choose another name, or replace it with --force"
                            .formatted(target));
        }
        return new WholeFile(target);
    }

    /** Under another name until it is done. */
    <T> T write(Content<T> content) {
        Path unfinished = target.resolveSibling(target.getFileName() + ".part");
        try {
            Files.deleteIfExists(unfinished);
            T told;
            try (FileChannel channel =
                            FileChannel.open(
                                    unfinished,
                                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                                    ownerOnly());
                    OutputStream out = Channels.newOutputStream(channel)) {
                told = content.writeTo(out);
                channel.force(true);
            }
            Files.move(
                    unfinished,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            return told;
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

    static SkepException unwritable(String where, IOException e) {
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
