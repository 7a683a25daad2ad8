package dev.skep.shell;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Opens guarded bashes with the strongest isolation this machine gives, or none on request.
 * Thread-safe.
 */
public final class BashShells implements Shells {
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Map<String, String> runnerEnvironment;
    private final RandomGenerator random;
    private final Sandbox sandbox;
    private final Duration grace;

    private BashShells(
            Map<String, String> runnerEnvironment,
            RandomGenerator random,
            Sandbox sandbox,
            Duration grace) {
        this.runnerEnvironment = Map.copyOf(runnerEnvironment);
        this.random = random;
        this.sandbox = sandbox;
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
        return new BashShells(
                runnerEnvironment, random, Sandbox.strongest(runnerEnvironment), GRACE);
    }

    /** Shells that may do all that the runner's user may. */
    public static BashShells trusted(
            Map<String, String> runnerEnvironment, RandomGenerator random) {
        return with(runnerEnvironment, random, new Isolation.None("switched off by configuration"));
    }

    static BashShells with(
            Map<String, String> runnerEnvironment, RandomGenerator random, Isolation isolation) {
        return new BashShells(
                runnerEnvironment, random, Sandbox.of(runnerEnvironment, isolation), GRACE);
    }

    /** The same with another time between INT, TERM and KILL. */
    BashShells graceOf(Duration changed) {
        return new BashShells(runnerEnvironment, random, sandbox, changed);
    }

    /**
     * Command lines from elsewhere, behind the same walls; no agent has their user.
     *
     * @param home the folder that is theirs; made if missing
     * @param hidden files and folders they must not be able to read where the OS allows
     */
    public SandboxedCommands commands(Path home, List<Path> hidden) {
        return new SandboxedCommands(sandbox, runnerEnvironment, home, hidden);
    }

    @Override
    public Programs programs() {
        return new SandboxedPrograms(sandbox, runnerEnvironment);
    }

    @Override
    public Shell open(ShellSettings settings) {
        Path own = settings.own().toAbsolutePath().normalize();
        Path folder = settings.folder().toAbsolutePath().normalize();
        Sandbox.Confinement confinement =
                sandbox.confine("shell of " + settings.agent(), own, folder, settings.hidden());
        return new BashShell(
                () -> launch(settings, folder, confinement), settings.outputChars(), grace);
    }

    @Override
    public String isolation() {
        return strongest().describe();
    }

    /** The strongest isolation found; an agent whose folder forbids it may get less. */
    public Isolation strongest() {
        return sandbox.isolation();
    }

    /** The isolation for jobs and servers with this folder, which is not changed. */
    public Isolation strongestWithin(Path home) {
        return Sandbox.within(home.toAbsolutePath().normalize(), strongest());
    }

    private ShellLaunch launch(
            ShellSettings settings, Path folder, Sandbox.Confinement confinement) {
        return new ShellLaunch(
                settings.agent(),
                sandbox.bash(),
                folder,
                !settings.folder().equals(settings.own()),
                confinement.isolation(),
                word(),
                word(),
                ShellEnvironment.basis(runnerEnvironment),
                ShellEnvironment.own(settings, sandbox.bash().toString()),
                confinement.hidden());
    }

    private String word() {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
