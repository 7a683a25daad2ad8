package dev.skep.app.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file a command writes: there when it is whole and on the disk, or not at all. */
record AtomicFile(Path target) {
    static AtomicFile at(Path target, boolean replace) {
        if (Files.exists(target) && !replace) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%s is there already; choose another name, or replace it with --force"
                            .formatted(target));
        }
        return new AtomicFile(target);
    }

    <T> T write(DurableFiles.Content<T> content) {
        try {
            return DurableFiles.replace(target, DurableFiles.Access.OWNER_ONLY, content);
        } catch (IOException e) {
            throw unwritable(target.toString(), e);
        }
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
