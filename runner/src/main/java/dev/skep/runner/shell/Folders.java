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

    /** Makes a folder that only its agent, and root, can look into; answers the agent's user. */
    int give(Path own, List<Path> runnersOwn) {
        try {
            int uid = users.of(own);
            boolean made = Files.notExists(own);
            Files.createDirectories(own);
            if (attribute(own, "unix:uid") == uid) {
                return uid;
            }
            if (made || isInside(own, runnersOwn)) {
                command("chown", "-hR", uid + ":" + uid, own.toString());
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
    void share(Path folder, int uid, List<Path> runnersOwn) {
        try {
            boolean made = Files.notExists(folder);
            Files.createDirectories(folder);
            if (attribute(folder, "unix:gid") == AgentUsers.GROUP) {
                return;
            }
            if (made || isInside(folder, runnersOwn)) {
                command("chgrp", "-hR", "" + AgentUsers.GROUP, folder.toString());
                command("chmod", "-R", "g+rwX", folder.toString());
                command("chmod", "g+s", folder.toString());
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

    /** What is inside the runner's own data is the runner's to give, with all in it. */
    private static boolean isInside(Path folder, List<Path> runnersOwn) {
        return runnersOwn.stream().anyMatch(folder::startsWith);
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
