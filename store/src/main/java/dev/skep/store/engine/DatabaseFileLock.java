package dev.skep.store.engine;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * This process's claim to write a SQLite file: a lock on a file beside it, which the system drops
 * when the process ends, however it ends. Two writers would each be correct and still give every
 * write a chance to find the database busy.
 */
final class DatabaseFileLock implements AutoCloseable {
    private final FileChannel channel;
    private final FileLock lock;

    private DatabaseFileLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /** The process that owns the file, if one does. */
    static Optional<String> holder(Path file) {
        Path beside = beside(file);
        try {
            if (Files.notExists(beside)) {
                return Optional.empty();
            }
            Optional<String> pid =
                    Optional.of(Files.readString(beside).strip()).filter(text -> !text.isEmpty());
            // Closing a second handle would drop this process's own lock.
            boolean ourself =
                    pid.filter(p -> p.equals("" + ProcessHandle.current().pid())).isPresent();
            return ourself || isHeld(beside) ? pid : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private static boolean isHeld(Path beside) throws IOException {
        try (FileChannel channel =
                FileChannel.open(beside, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FileLock lock = tryLock(channel);
            if (lock != null) {
                lock.release();
            }
            return lock == null;
        }
    }

    private static Path beside(Path file) {
        return file.resolveSibling(file.getFileName() + ".lock");
    }

    static DatabaseFileLock of(Path file) {
        Path beside = beside(file);
        try {
            if (file.getParent() != null) {
                Files.createDirectories(file.getParent());
            }
            makePrivate(file);
            makePrivate(beside);
            FileChannel channel =
                    FileChannel.open(beside, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                throw new SkepException(
                        ErrorCode.DATABASE_BUSY,
                        "%s is in use by another skep process (pid %s); stop it or use another --data-dir"
                                .formatted(file, Files.readString(beside).strip()));
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(
                            Long.toString(ProcessHandle.current().pid())
                                    .getBytes(StandardCharsets.UTF_8)));
            return new DatabaseFileLock(channel, lock);
        } catch (IOException e) {
            throw unusable(file, e);
        }
    }

    /** Creates the file for this user alone; SQLite gives its log files the same permissions. */
    private static void makePrivate(Path file) throws IOException {
        try {
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        file,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
            } else {
                Files.createFile(file);
            }
        } catch (FileAlreadyExistsException isThere) {
            // and keeps the permissions its owner gave it
        }
    }

    private static SkepException unusable(Path file, IOException e) {
        // A full disk shows as an IOException with the system's own words and no type of its own.
        if (String.valueOf(e.getMessage()).contains("No space left")) {
            return new SkepException(
                    ErrorCode.DISK_FULL,
                    "no space left for %s; free some space on its disk".formatted(file),
                    e);
        }
        return new SkepException(
                ErrorCode.DATA_DIR_UNUSABLE,
                "cannot create %s; make its folder writable by this user or use another --data-dir"
                        .formatted(file),
                e);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException sameProcess) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.truncate(0);
            lock.release();
            channel.close();
        } catch (IOException alreadyGone) {
            // the system drops the lock with the process
        }
    }
}
