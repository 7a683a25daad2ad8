package dev.skep.cli.config;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** The folder that holds databases, agents, keys and logs: private to its user. */
public final class DataDir {
    private static final String IS_A_FILE = "is a file; remove it";

    private DataDir() {}

    /** Makes the folder if it is missing, for its owner only, and proves that it can be used. */
    public static void prepare(Path folder) {
        createPrivate(folder);
        if (!Files.isReadable(folder) || !Files.isWritable(folder) || !Files.isExecutable(folder)) {
            throw unusable(
                    folder,
                    "may not be read and written by this user; change its owner or permissions,",
                    null);
        }
    }

    /** For callers that only read there: a file in its place is reported as such. */
    public static void refuseFile(Path folder) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw unusable(folder, IS_A_FILE, null);
        }
    }

    /** Makes a folder for its owner only; an existing one stays as it is. */
    public static void createPrivate(Path folder) {
        try {
            DurableFiles.createFolders(folder, ownerOnly());
        } catch (IOException e) {
            String why =
                    Files.exists(folder) && !Files.isDirectory(folder)
                            ? IS_A_FILE
                            : "cannot be made; check the permissions of " + folder.getParent();
            throw unusable(folder, why, e);
        }
    }

    private static SkepException unusable(Path folder, String why, @Nullable Throwable cause) {
        return new SkepException(
                ErrorCode.DATA_DIR_UNUSABLE,
                "data dir " + folder + " " + why + " or choose another with --data-dir",
                cause);
    }

    private static FileAttribute<?>[] ownerOnly() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }
}
