package dev.skep.directory.secret;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A file that only its owner may read, replaced as a whole or not at all. */
public final class PrivateFile {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");

    private final Path path;
    private final boolean inMemory;
    private volatile Optional<String> held = Optional.empty();

    public PrivateFile(Path path) {
        this(path, false);
    }

    private PrivateFile(Path path, boolean inMemory) {
        this.path = path;
        this.inMemory = inMemory;
    }

    /** One that is never written to a disk. */
    public static PrivateFile inMemory() {
        return new PrivateFile(Path.of("memory"), true);
    }

    public Path path() {
        return path;
    }

    /** The text, unless there is no such file; one that others may read is refused. */
    public Optional<String> read() {
        if (inMemory) {
            return held;
        }
        try {
            String text = Files.readString(path);
            refuseReadableByOthers();
            return Optional.of(text);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot read %s; make it readable by this user".formatted(path),
                    e);
        }
    }

    public void write(String text) {
        if (inMemory) {
            held = Optional.of(text);
            return;
        }
        try {
            DurableFiles.replace(path, DurableFiles.Access.OWNER_ONLY, text);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot write %s; make its folder writable by this user and free some space"
                            .formatted(path),
                    e);
        }
    }

    public void delete() {
        if (inMemory) {
            held = Optional.empty();
            return;
        }
        try {
            DurableFiles.delete(path);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot remove %s; make its folder writable by this user".formatted(path),
                    e);
        }
    }

    private void refuseReadableByOthers() throws IOException {
        if (!isPosix()) {
            return;
        }
        Set<PosixFilePermission> open = EnumSet.copyOf(Files.getPosixFilePermissions(path));
        open.removeAll(OWNER_ONLY);
        if (!open.isEmpty()) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "%s may be read by others; run: chmod 600 %s".formatted(path, path));
        }
    }

    private boolean isPosix() {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
