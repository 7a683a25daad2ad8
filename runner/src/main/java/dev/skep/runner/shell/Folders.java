package dev.skep.runner.shell;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes the folders agents work in and gives them to the users their shells run as. */
final class Folders {
    /**
     * From inside the folder: an agent may own a folder on the way, and put a link in the place of
     * one that was looked at already.
     */
    private static final String SHARE =
            """
            cd -P -- "$1" && [ "$PWD" = "$2" ] \\
                && chgrp -hR "$3" . && chmod -R g+rwX . && chmod g+s .""";

    private final String path;
    private final AgentUsers users = new AgentUsers();

    Folders(String path) {
        this.path = path;
    }

    static void make(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    /**
     * Makes a folder that only its agent, and root, can look into; answers the agent's user.
     *
     * @param work what is below it is the runner's to give, with all in it; nothing else is
     */
    int give(Path own, Optional<Path> work) {
        try {
            int uid = users.of(own);
            boolean made = Files.notExists(own);
            Files.createDirectories(own);
            if (attribute(own, "unix:uid") == uid) {
                return uid;
            }
            if (straightBelow(own, work).isPresent()) {
                command("chown", "-hR", uid + ":" + uid, own.toString());
                Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
            } else if (made) {
                command("chown", "-h", uid + ":" + uid, own.toString());
                Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
            } else {
                mustEnter(own, uid);
            }
            return uid;
        } catch (IOException e) {
            throw unusable(own, e);
        }
    }

    /** A folder several agents may work in. */
    void share(Path folder, int uid, Optional<Path> work) {
        try {
            if (work.isPresent() && folder.startsWith(work.get())) {
                mustBeStraight(folder, work.get());
            }
            boolean made = Files.notExists(folder);
            Files.createDirectories(folder);
            if (attribute(folder, "unix:gid") == AgentUsers.GROUP) {
                return;
            }
            Optional<Path> straight = straightBelow(folder, work);
            if (straight.isPresent()) {
                command(
                        "bash",
                        "-c",
                        SHARE,
                        "share",
                        folder.toString(),
                        straight.get().toString(),
                        "" + AgentUsers.GROUP);
            } else if (made) {
                command("chgrp", "-h", "" + AgentUsers.GROUP, folder.toString());
                command("chmod", "g+rwxs", folder.toString());
            } else {
                mustEnter(folder, uid);
            }
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    /** The uppermost folder on the way that the agent's user may not enter. */
    static Optional<Path> doorClosedTo(Path folder, int uid) {
        for (int i = 1; i < folder.getNameCount(); i++) {
            Path door = Path.of("/").resolve(folder.subpath(0, i));
            if (!mayEnter(door, uid)) {
                return Optional.of(door);
            }
        }
        return Optional.empty();
    }

    /**
     * The uppermost part of the way to a folder that agents, or everybody, may write to.
     *
     * @param but the user to whom it may belong
     */
    static Optional<Path> openToOthers(Path folder, int but) {
        for (int i = 1; i <= folder.getNameCount(); i++) {
            Path part = Path.of("/").resolve(folder.subpath(0, i));
            if (othersMayWrite(part, but)) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    private static boolean othersMayWrite(Path part, int but) {
        try {
            Set<PosixFilePermission> granted = Files.getPosixFilePermissions(part);
            int owner = attribute(part, "unix:uid");
            return granted.contains(PosixFilePermission.OTHERS_WRITE)
                    || (granted.contains(PosixFilePermission.GROUP_WRITE)
                            && attribute(part, "unix:gid") == AgentUsers.GROUP)
                    || (owner != but && owner >= AgentUsers.FIRST && owner <= AgentUsers.LAST);
        } catch (IOException e) {
            return true;
        }
    }

    /** Where a folder really is, if no link on the way leads out of what the runner may change. */
    private static Optional<Path> straightBelow(Path folder, Optional<Path> work)
            throws IOException {
        if (work.isEmpty() || !folder.startsWith(work.get()) || folder.equals(work.get())) {
            return Optional.empty();
        }
        Path straight = work.get().toRealPath().resolve(work.get().relativize(folder));
        return folder.toRealPath().equals(straight) ? Optional.of(straight) : Optional.empty();
    }

    /** Before anything is made: a link below there leads the runner to where it must not write. */
    private static void mustBeStraight(Path folder, Path work) {
        for (Path each = folder; !each.equals(work); each = each.resolveSibling("")) {
            if (Files.isSymbolicLink(each)) {
                throw new SkepException(
                        ErrorCode.BAD_CONFIGURATION,
                        "%s is a link; name the folder it leads to".formatted(each));
            }
        }
    }

    private static void mustEnter(Path folder, int uid) {
        if (!mayEnter(folder, uid)) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION,
                    "agents may not enter %1$s; let their group: chgrp %2$d %1$s && chmod g+rwxs %1$s"
                            .formatted(folder, AgentUsers.GROUP));
        }
    }

    private static boolean mayEnter(Path door, int uid) {
        try {
            Set<PosixFilePermission> granted = Files.getPosixFilePermissions(door);
            if (attribute(door, "unix:uid") == uid) {
                return granted.contains(PosixFilePermission.OWNER_EXECUTE);
            }
            int group = attribute(door, "unix:gid");
            return granted.contains(
                    group == AgentUsers.GROUP || group == uid
                            ? PosixFilePermission.GROUP_EXECUTE
                            : PosixFilePermission.OTHERS_EXECUTE);
        } catch (IOException e) {
            return false;
        }
    }

    private static int attribute(Path file, String name) throws IOException {
        return Files.getAttribute(file, name) instanceof Integer number ? number : -1;
    }

    private void command(String... words) throws IOException {
        if (!ShellTools.succeeds(List.of(words), path)) {
            throw new IOException(String.join(" ", words) + " failed");
        }
    }

    private static SkepException unusable(Path folder, IOException cause) {
        return new SkepException(
                ErrorCode.DATA_DIR_UNUSABLE,
                "cannot make the folder %s; make its parent writable".formatted(folder),
                cause);
    }
}
