package dev.skep.shell;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes the folders agents work in and gives them to the users their shells run as. */
final class WorkFolders {
    /**
     * From inside each folder on the way, and only where the system says it is: an agent may own a
     * folder on the way, and put a link in the place of one that was looked at already. (What bash
     * has in PWD it worked out before it went there.) Makes what is missing; what it gives to the
     * group is the last folder, with {@code all} also what is in it, else only if it made it.
     */
    private static final String SHARE =
            """
            group=$1 which=$2 here= made=
            shift 2
            cd /
            for name; do
                made=
                mkdir -- "./$name" 2>/dev/null && made=1
                here=$here/$name
                cd -P -- "./$name" && [ "$(env pwd -P)" = "$here" ] || exit 1
            done
            if [ "$which" = all ]; then
                chgrp -hR "$group" . && chmod -R g+rwX . && chmod g+s .
            elif [ "$made" ]; then
                chgrp -h "$group" . && chmod g+rwxs .
            fi""";

    private static final int MOST_LINKS = 40;

    private final String path;
    private final AgentUsers users = new AgentUsers();

    WorkFolders(String path) {
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
                requireAccess(own, uid);
            }
            return uid;
        } catch (IOException e) {
            throw unusable(own, e);
        }
    }

    /** Makes a folder beside the agents' own that only one agent, and root, can look into. */
    void giveHome(Path home, int uid) {
        try {
            makePrivate(home);
            if (attribute(home, "unix:uid") != uid) {
                command("chown", "-hR", uid + ":" + uid, home.toString());
            }
        } catch (IOException e) {
            throw unusable(home, e);
        }
    }

    /** Makes a folder for nobody but whoever runs this. Its parent is not for agents to change. */
    static void makePrivate(Path folder) {
        if (Files.isSymbolicLink(folder)) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION, "%s is a link; remove it".formatted(folder));
        }
        make(folder);
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    /** A folder several agents may work in. */
    void share(Path folder, int uid, Optional<Path> work) {
        try {
            boolean below =
                    work.isPresent() && folder.startsWith(work.get()) && !folder.equals(work.get());
            if (below) {
                requireNoSymlinks(folder, work.get());
            }
            Path real =
                    below
                            ? work.get().toRealPath().resolve(work.get().relativize(folder))
                            : asItIs(folder);
            if (below || Files.notExists(folder)) {
                share(real, "made");
            }
            if (attribute(folder, "unix:gid") == AgentUsers.GROUP) {
                return;
            }
            if (below) {
                share(real, "all");
            } else {
                requireAccess(folder, uid);
            }
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    private void share(Path real, String which) throws IOException {
        List<String> words =
                new ArrayList<>(
                        List.of("bash", "-c", SHARE, "share", "" + AgentUsers.GROUP, which));
        real.forEach(name -> words.add(name.toString()));
        command(words.toArray(String[]::new));
    }

    /**
     * The path to a folder without links. A link that agents could have put there is not followed
     * when something is created: it would be created where they may not.
     */
    private static Path asItIs(Path folder) throws IOException {
        if (Files.exists(folder)) {
            return folder.toRealPath();
        }
        Path at = Path.of("/");
        Deque<Path> left = new ArrayDeque<>();
        folder.forEach(left::add);
        int links = 0;
        while (!left.isEmpty()) {
            Path name = left.remove();
            Path next = at.resolve(name).normalize();
            if (!Files.isSymbolicLink(next)) {
                at = next;
                continue;
            }
            if (othersMayWrite(at, -1)) {
                throw new SkepException(
                        ErrorCode.BAD_CONFIGURATION,
                        "%s is a link, and agents or everybody may change it; name the folder it leads to"
                                .formatted(next));
            }
            if (++links > MOST_LINKS) {
                throw new IOException("too many links on the way to " + folder);
            }
            Path target = Files.readSymbolicLink(next);
            at = target.isAbsolute() ? Path.of("/") : at;
            for (int i = target.getNameCount() - 1; i >= 0; i--) {
                left.addFirst(target.getName(i));
            }
        }
        return at;
    }

    /** The uppermost folder on the way that the agent's user may not enter. */
    static Optional<Path> firstInaccessible(Path folder, int uid) {
        for (int i = 1; i < folder.getNameCount(); i++) {
            Path part = Path.of("/").resolve(folder.subpath(0, i));
            if (!mayEnter(part, uid)) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    /**
     * The uppermost part of the path to a folder that agents, or everybody, may write to.
     *
     * @param but the user that may own it
     */
    static Optional<Path> firstWritableByOthers(Path folder, int but) {
        return firstWritableByOthers(1, folder, but);
    }

    /** The same for the part of the way that is below a folder which is not looked at. */
    static Optional<Path> openToOthersBelow(Path above, Path folder, int but) {
        return firstWritableByOthers(above.getNameCount() + 1, folder, but);
    }

    private static Optional<Path> firstWritableByOthers(int from, Path folder, int but) {
        for (int i = from; i <= folder.getNameCount(); i++) {
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
    private static void requireNoSymlinks(Path folder, Path work) {
        for (Path each = folder; !each.equals(work); each = each.resolveSibling("")) {
            if (Files.isSymbolicLink(each)) {
                throw new SkepException(
                        ErrorCode.BAD_CONFIGURATION,
                        "%s is a link; name the folder it leads to".formatted(each));
            }
        }
    }

    private static void requireAccess(Path folder, int uid) {
        if (!mayEnter(folder, uid)) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION,
                    "agents may not enter %1$s; let their group: chgrp %2$d %1$s && chmod g+rwxs %1$s"
                            .formatted(folder, AgentUsers.GROUP));
        }
    }

    private static boolean mayEnter(Path folder, int uid) {
        try {
            Set<PosixFilePermission> granted = Files.getPosixFilePermissions(folder);
            if (attribute(folder, "unix:uid") == uid) {
                return granted.contains(PosixFilePermission.OWNER_EXECUTE);
            }
            int group = attribute(folder, "unix:gid");
            return granted.contains(
                    group == AgentUsers.GROUP || group == uid
                            ? PosixFilePermission.GROUP_EXECUTE
                            : PosixFilePermission.OTHERS_EXECUTE);
        } catch (IOException e) {
            return false;
        }
    }

    /** The user that owns a folder; -1 if unknown. */
    static int ownerOf(Path folder) {
        try {
            return attribute(folder, "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            return -1;
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
