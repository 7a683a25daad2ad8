package dev.skep.fleet;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;

/** Owner, group and mode of files. */
final class FileModes {
    private FileModes() {}

    /** A runner that works writes files under another name first: what is gone again is no part. */
    static Map<String, String> below(Path top) throws IOException {
        Map<String, String> modes = new TreeMap<>();
        Files.walkFileTree(
                top,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) throws IOException {
                        return visitFile(folder, attributes);
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        try {
                            modes.put(file.toString(), modeOf(file));
                        } catch (NoSuchFileException gone) {
                            modes.remove(file.toString());
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException problem)
                            throws IOException {
                        if (problem instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE;
                        }
                        throw problem;
                    }
                });
        modes.keySet().removeIf(path -> path.endsWith(".part"));
        return modes;
    }

    private static String modeOf(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                + ":"
                + Files.getAttribute(file, "unix:gid", LinkOption.NOFOLLOW_LINKS)
                + " "
                + PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    }
}
