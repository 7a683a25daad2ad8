package dev.skep.store.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Writes every file of ours that must survive. When a method returns, a power cut loses nothing of
 * it; when it fails, or the power is cut before, the file is as it was before.
 *
 * <p>A file is written under another name, synced, and renamed; then its folder is synced. Without
 * the last step the rename itself is lost.
 */
public final class DurableFiles {
    /** Who may read a new file. */
    public enum Access {
        /** Everyone whom the user's umask allows. */
        USUAL,
        OWNER_ONLY
    }

    /** What is written; returns what the caller wants to know about it. */
    @FunctionalInterface
    public interface Content<T> {
        T writeTo(OutputStream out) throws IOException;
    }

    private static final String UNFINISHED = ".part";

    private DurableFiles() {}

    /** Writes a file, replacing an existing one. */
    public static void replace(Path file, Access access, String text) throws IOException {
        replace(file, access, bytes(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Writes a file, replacing an existing one. */
    public static void replace(Path file, Access access, byte[] content) throws IOException {
        replace(file, access, bytes(content));
    }

    /** Writes a file, replacing an existing one; the stream is not to be closed. */
    public static <T> T replace(Path file, Access access, Content<T> content) throws IOException {
        return write(
                file,
                access,
                content,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Writes a new file.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
     */
    public static void create(Path file, Access access, String text) throws IOException {
        create(file, access, bytes(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** As {@link #create(Path, Access, String)}; the stream is not to be closed. */
    public static <T> T create(Path file, Access access, Content<T> content) throws IOException {
        return write(file, access, content);
    }

    private static <T> T write(Path file, Access access, Content<T> content, CopyOption... how)
            throws IOException {
        Path target = file.toAbsolutePath();
        Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
        try {
            // Left behind by a power cut.
            Files.deleteIfExists(unfinished);
            T result = writeSynced(unfinished, access, content);
            Files.move(unfinished, target, how);
            sync(folderOf(target));
            return result;
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static <T> T writeSynced(Path file, Access access, Content<T> content)
            throws IOException {
        Set<StandardOpenOption> anew =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, anew, attributes(file, access));
                OutputStream out = Channels.newOutputStream(channel)) {
            T result = content.writeTo(out);
            channel.force(true);
            return result;
        }
    }

    private static Content<Integer> bytes(byte[] content) {
        return out -> {
            out.write(content);
            return content.length;
        };
    }

    /** Renames a file or a folder within one file system; nothing may be in the way. */
    public static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        sync(folderOf(from));
        sync(folderOf(to));
    }

    /** Removes a file, if it is there. */
    public static void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            sync(folderOf(file));
        }
    }

    /** Makes a folder and those above it that are missing. */
    public static Path createFolders(Path folder, FileAttribute<?>... attributes)
            throws IOException {
        Deque<Path> changed = new ArrayDeque<>();
        for (Path each = folder.toAbsolutePath();
                each.getParent() != null && Files.notExists(each);
                each = each.getParent()) {
            changed.push(each.getParent());
        }
        Files.createDirectories(folder, attributes);
        for (Path each : changed) {
            sync(each);
        }
        return folder;
    }

    /** Syncs a folder and everything in it to the disk. */
    public static void syncTree(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                if (Files.isDirectory(each) || Files.isRegularFile(each)) {
                    sync(each);
                }
            }
        }
    }

    /** A folder may be opened for reading only, and reading suffices to sync a file too. */
    private static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path folderOf(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? file.toAbsolutePath() : folder;
    }

    private static FileAttribute<?>[] attributes(Path file, Access access) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix && access == Access.OWNER_ONLY
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
