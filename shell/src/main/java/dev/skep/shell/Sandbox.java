package dev.skep.shell;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What separates the runner from what runs on its machine for agents and jobs: the isolation that
 * this machine supports, and the folders and users that go with it. Thread-safe.
 */
final class Sandbox {
    private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);

    private final Path bash;
    private final Isolation isolation;
    private final WorkFolders folders;
    private final String path;

    /**
     * An isolation as it was set up for one agent or job.
     *
     * @param hidden what a namespace does not show
     */
    record Confinement(Isolation isolation, List<Path> hidden) {}

    Sandbox(Path bash, Isolation isolation, String path) {
        this.bash = bash;
        this.isolation = isolation;
        this.folders = new WorkFolders(path);
        this.path = path;
    }

    /** The strongest isolation this machine gives. */
    static Sandbox strongest(Map<String, String> environment) {
        String path = path(environment);
        Path bash = ShellTools.bash(path);
        return new Sandbox(bash, new IsolationProbe(bash, path).strongest(), path);
    }

    static Sandbox of(Map<String, String> environment, Isolation isolation) {
        String path = path(environment);
        return new Sandbox(ShellTools.bash(path), isolation, path);
    }

    Path bash() {
        return bash;
    }

    Isolation isolation() {
        return isolation;
    }

    /**
     * Creates the folders of an agent or job and gives them to the user it will run as.
     *
     * @param own the folder that only this user and root can read
     * @param folder where its commands start: its own folder or a shared one
     */
    Confinement confine(String who, Path own, Path folder, List<Path> hide) {
        return confine(who, own, folder, hide, Optional.empty(), List.of(folder));
    }

    /**
     * The same for a program.
     *
     * @param home a folder for nobody but this user, beside the agents' own folders
     * @param kept what is not hidden even inside a hidden folder
     */
    Confinement confine(
            String who,
            Path own,
            Path folder,
            List<Path> hide,
            Optional<Path> home,
            List<Path> kept) {
        var hidden = new ArrayList<Path>();
        hide.forEach(path -> hidden.add(path.toAbsolutePath().normalize()));
        Isolation possible = isolation;
        if (isolation instanceof Isolation.OwnUser(_, var walled)) {
            int uid = giveFolders(own, folder, hidden);
            possible = within(folder, new Isolation.OwnUser(uid, walled));
            if (home.isPresent()) {
                folders.giveHome(home.get(), uid);
                possible = within(home.get(), possible);
            }
            warnIfNone(who, possible);
            kept.forEach(each -> WorkFolders.firstInaccessible(each, uid).ifPresent(hidden::add));
        } else {
            WorkFolders.make(folder);
            home.ifPresent(WorkFolders::makePrivate);
        }
        return new Confinement(possible, outermost(hidden, kept));
    }

    /**
     * Of the hidden folders, the runner changes the owner only of the one with the agents' own
     * folders; everything else there keeps its owner and mode.
     */
    private int giveFolders(Path own, Path folder, List<Path> hidden) {
        boolean runnersOwn = hidden.stream().anyMatch(own::startsWith);
        Optional<Path> work = runnersOwn ? Optional.ofNullable(own.getParent()) : Optional.empty();
        int uid = folders.give(own, work);
        if (!folder.equals(own)) {
            boolean kept =
                    hidden.stream().anyMatch(folder::startsWith)
                            && work.filter(folder::startsWith).isEmpty();
            if (kept) {
                throw new SkepException(
                        ErrorCode.BAD_CONFIGURATION,
                        "no agent may start in %s, which is the runner's; name a folder below work/"
                                .formatted(folder));
            }
            folders.share(folder, uid, work);
        }
        return uid;
    }

    private static void warnIfNone(String who, Isolation isolation) {
        if (isolation instanceof Isolation.None none) {
            LOG.warn("{} not isolated: {}; move the data folder out of it", who, none.reason());
        }
    }

    /** The isolation that this folder allows: none if its user cannot enter the folder. */
    static Isolation within(Path folder, Isolation isolation) {
        if (isolation instanceof Isolation.OwnUser(int uid, boolean walled) && !walled) {
            Optional<Path> inaccessible = WorkFolders.firstInaccessible(folder, uid);
            if (inaccessible.isPresent()) {
                return new Isolation.None(
                        "user %d cannot enter %s".formatted(uid, inaccessible.get()));
            }
        }
        return isolation;
    }

    /** Without folders inside another hidden one; what is inside a kept one is hidden after it. */
    private static List<Path> outermost(List<Path> hidden, List<Path> kept) {
        return hidden.stream()
                .filter(
                        path ->
                                hidden.stream()
                                        .filter(other -> !other.equals(path))
                                        .filter(
                                                other ->
                                                        isBelow(other, kept) == isBelow(path, kept))
                                        .noneMatch(path::startsWith))
                .distinct()
                .toList();
    }

    private static boolean isBelow(Path path, List<Path> kept) {
        return kept.stream().anyMatch(path::startsWith);
    }

    /** Runs a short command of the system. */
    void tool(String... words) throws IOException {
        if (!ShellTools.succeeds(List.of(words), path)) {
            throw new IOException(String.join(" ", words) + " failed");
        }
    }

    private static String path(Map<String, String> environment) {
        return environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    }
}
