package dev.skep.runner.shell;

import java.nio.file.Path;
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
    private static final Logger LOG = LoggerFactory.getLogger(BashShells.class);
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Map<String, String> runnerEnvironment;
    private final RandomGenerator random;
    private final Path bash;
    private final Isolation isolation;
    private final Duration grace;
    private final Folders folders;

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
        this.folders = new Folders(path(runnerEnvironment));
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
                runnerEnvironment, random, bash, new IsolationProbe(bash, path).strongest(), GRACE);
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
        var hidden = new ArrayList<Path>();
        settings.hidden().forEach(path -> hidden.add(path.toAbsolutePath().normalize()));
        Isolation possible = isolation;
        if (isolation instanceof Isolation.OwnUser(_, var walled)) {
            int uid = giveFolders(settings, folder, hidden);
            possible = new Isolation.OwnUser(uid, walled);
            Optional<Path> closedDoor = Folders.doorClosedTo(folder, uid);
            if (closedDoor.isPresent() && !walled) {
                LOG.warn(
                        "agent={} shell not isolated: user {} cannot enter {}; move the data folder out of it",
                        settings.agent(),
                        uid,
                        closedDoor.get());
                possible = new Isolation.None("its folder is inside " + closedDoor.get());
            }
            closedDoor.ifPresent(hidden::add);
        } else {
            Folders.make(folder);
        }
        Isolation used = possible;
        return new BashShell(
                () -> launch(settings, folder, used, outermost(hidden, folder)),
                settings.outputChars(),
                grace);
    }

    private int giveFolders(ShellSettings settings, Path folder, List<Path> runnersOwn) {
        Path own = settings.own().toAbsolutePath().normalize();
        int uid = folders.give(own, runnersOwn);
        if (!folder.equals(own)) {
            folders.share(folder, uid, runnersOwn);
        }
        return uid;
    }

    @Override
    public String isolation() {
        return isolation.describe();
    }

    /** The strongest isolation found; an agent whose folder forbids it may get less. */
    public Isolation strongest() {
        return isolation;
    }

    private ShellLaunch launch(
            ShellSettings settings, Path folder, Isolation used, List<Path> hidden) {
        String tag = word();
        return new ShellLaunch(
                settings.agent(),
                bash,
                folder,
                !settings.folder().equals(settings.own()),
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

    private String word() {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String path(Map<String, String> environment) {
        return environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    }
}
