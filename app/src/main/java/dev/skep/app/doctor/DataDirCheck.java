package dev.skep.app.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The data dir: there, ours, writable, and closed to others. */
final class DataDirCheck implements Check {
    private static final String CHECK = "data dir";
    private static final Set<PosixFilePermission> OTHERS =
            EnumSet.of(
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_WRITE);

    private final Path folder;

    DataDirCheck(Path folder) {
        this.folder = folder;
    }

    /** Whether what lies in it, if anything does, can be looked at. */
    boolean isWithinReach() {
        return Files.notExists(folder)
                || (Files.isDirectory(folder)
                        && Files.isReadable(folder)
                        && Files.isWritable(folder));
    }

    @Override
    public List<Finding> findings() {
        if (Files.notExists(folder)) {
            Path above = existing(folder);
            return List.of(
                    Files.isWritable(above)
                            ? Finding.ok(CHECK, folder + " will be made at the first start")
                            : Finding.problem(
                                    CHECK,
                                    folder + " cannot be made: this user may not write " + above,
                                    "choose another with --data-dir"));
        }
        if (!Files.isDirectory(folder)) {
            return List.of(
                    Finding.problem(
                            CHECK,
                            folder + " is a file",
                            "remove it or choose another with --data-dir"));
        }
        if (!Files.isReadable(folder) || !Files.isWritable(folder)) {
            return List.of(
                    Finding.problem(
                            CHECK,
                            "%s may not be read and written by this user".formatted(folder),
                            "change its owner (it is %s) or choose another with --data-dir"
                                    .formatted(owner(folder))));
        }
        List<Finding> found = new ArrayList<>();
        found.add(Finding.ok(CHECK, "%s is writable, owner %s".formatted(folder, owner(folder))));
        if (isOpen(folder)) {
            found.add(
                    Finding.warning(
                            CHECK,
                            folder + " can be read by other users",
                            "run: chmod 700 " + folder));
        }
        Path env = folder.resolve(".env");
        if (Files.exists(env) && isOpen(env)) {
            found.add(
                    Finding.warning(
                            CHECK, env + " can be read by other users", "run: chmod 600 " + env));
        }
        return found;
    }

    private static Path existing(Path folder) {
        Path above = folder;
        while (Files.notExists(above) && above.getParent() != null) {
            above = above.getParent();
        }
        return above;
    }

    private static String owner(Path path) {
        try {
            return Files.getOwner(path).getName();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** Without POSIX permissions there is nothing to check. */
    private static boolean isOpen(Path path) {
        PosixFileAttributeView view =
                Files.getFileAttributeView(path, PosixFileAttributeView.class);
        if (view == null) {
            return false;
        }
        try {
            return !Collections.disjoint(view.readAttributes().permissions(), OTHERS);
        } catch (IOException e) {
            return false;
        }
    }
}
