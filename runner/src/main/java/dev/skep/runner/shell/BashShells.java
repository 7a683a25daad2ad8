package dev.skep.runner.shell;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens guarded bashes with the strongest isolation this machine gives, or none on request.
 * Thread-safe.
 */
public final class BashShells implements Shells {
    /** In a range that no distribution hands out. */
    public static final int DEFAULT_UID = 60_700;

    private static final Logger LOG = LoggerFactory.getLogger(BashShells.class);
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Map<String, String> runnerEnvironment;
    private final RandomGenerator random;
    private final Path bash;
    private final Isolation isolation;
    private final Duration grace;

    private BashShells(
            Map<String, String> runnerEnvironment,
            RandomGenerator random,
            Path bash,
            Isolation isolation,
            Duration grace) {
        this.runnerEnvironment = Map.copyOf(runnerEnvironment);
        this.random = random;
        this.bash = bash;
        this.isolation = isolation;
        this.grace = grace;
    }

    /**
     * The strongest isolation this machine gives.
     *
     * @param runnerEnvironment the runner's variables, of which only an allow-list is passed on
     * @param random must be unpredictable: programs in the shell must not guess frame tokens
     */
    public static BashShells isolated(
            Map<String, String> runnerEnvironment, RandomGenerator random) {
        String path = path(runnerEnvironment);
        Path bash = ShellTools.bash(path);
        return new BashShells(
                runnerEnvironment,
                random,
                bash,
                new IsolationProbe(bash, path).strongest(DEFAULT_UID),
                GRACE);
    }

    /** Shells that may do all that the runner's user may. */
    public static BashShells trusted(
            Map<String, String> runnerEnvironment, RandomGenerator random) {
        return with(runnerEnvironment, random, new Isolation.None("switched off by configuration"));
    }

    static BashShells with(
            Map<String, String> runnerEnvironment, RandomGenerator random, Isolation isolation) {
        return new BashShells(
                runnerEnvironment,
                random,
                ShellTools.bash(path(runnerEnvironment)),
                isolation,
                GRACE);
    }

    /** The same with another time between INT, TERM and KILL. */
    BashShells graceOf(Duration changed) {
        return new BashShells(runnerEnvironment, random, bash, isolation, changed);
    }

    @Override
    public Shell open(ShellSettings settings) {
        Path folder = settings.folder().toAbsolutePath().normalize();
        makeFolder(folder, settings.hidden());
        Optional<Path> closedDoor = doorClosedTo(folder);
        Isolation possible = isolation;
        if (closedDoor.isPresent() && !isolation.walled()) {
            LOG.warn(
                    "agent={} shell not isolated: user {} cannot enter {}; move the data folder out of it",
                    settings.agent(),
                    DEFAULT_UID,
                    closedDoor.get());
            possible = new Isolation.None("its folder is inside " + closedDoor.get());
        }
        var hidden = new ArrayList<Path>();
        settings.hidden().forEach(path -> hidden.add(path.toAbsolutePath().normalize()));
        closedDoor.ifPresent(hidden::add);
        Isolation used = possible;
        return new BashShell(
                () -> launch(settings, folder, used, outermost(hidden, folder)),
                settings.outputChars(),
                grace);
    }

    @Override
    public String isolation() {
        return isolation.describe();
    }

    private ShellLaunch launch(
            ShellSettings settings, Path folder, Isolation used, List<Path> hidden) {
        String tag = word();
        return new ShellLaunch(
                settings.agent(),
                bash,
                folder,
                used,
                word(),
                tag,
                ShellEnvironment.of(runnerEnvironment, settings, bash.toString(), tag),
                hidden);
    }

    /** Without what another one hides anyway; what is inside the start folder is on its own. */
    private static List<Path> outermost(List<Path> hidden, Path folder) {
        return hidden.stream()
                .filter(
                        path ->
                                hidden.stream()
                                        .filter(other -> !other.equals(path))
                                        .filter(
                                                other ->
                                                        other.startsWith(folder)
                                                                == path.startsWith(folder))
                                        .noneMatch(path::startsWith))
                .distinct()
                .toList();
    }

    private void makeFolder(Path folder, List<Path> hidden) {
        try {
            boolean made = Files.notExists(folder);
            Files.createDirectories(folder);
            if (!(isolation instanceof Isolation.OwnUser(int uid, _)) || isOwner(folder, uid)) {
                return;
            }
            if (made || hidden.stream().anyMatch(folder::startsWith)) {
                // What is inside the runner's own data is the runner's to give, with all in it.
                handOver(folder, uid);
            } else if (!mayEnter(folder, uid)) {
                throw new SkepException(
                        ErrorCode.BAD_CONFIGURATION,
                        "agents run as user %d, who may not enter %s; chown it or let others enter"
                                .formatted(uid, folder));
            }
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot make the folder %s; make its parent writable".formatted(folder),
                    e);
        }
    }

    private void handOver(Path folder, int uid) throws IOException {
        String owner = uid + ":" + uid;
        if (!ShellTools.succeeds(
                List.of("chown", "-hR", owner, folder.toString()), path(runnerEnvironment))) {
            throw new IOException("chown to " + owner + " failed");
        }
    }

    private static boolean isOwner(Path file, int uid) throws IOException {
        return Integer.valueOf(uid).equals(Files.getAttribute(file, "unix:uid"));
    }

    /** The uppermost folder on the way that the agents' user may not enter. */
    private Optional<Path> doorClosedTo(Path folder) {
        if (!(isolation instanceof Isolation.OwnUser(int uid, _))) {
            return Optional.empty();
        }
        for (int i = 1; i < folder.getNameCount(); i++) {
            Path door = Path.of("/").resolve(folder.subpath(0, i));
            if (!mayEnter(door, uid)) {
                return Optional.of(door);
            }
        }
        return Optional.empty();
    }

    private static boolean mayEnter(Path door, int uid) {
        try {
            boolean owner = isOwner(door, uid);
            return Files.getPosixFilePermissions(door)
                    .contains(
                            owner
                                    ? PosixFilePermission.OWNER_EXECUTE
                                    : PosixFilePermission.OTHERS_EXECUTE);
        } catch (IOException e) {
            return false;
        }
    }

    private String word() {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String path(Map<String, String> environment) {
        return environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    }
}
