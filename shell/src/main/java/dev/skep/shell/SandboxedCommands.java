package dev.skep.shell;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts command lines that come from elsewhere, the jobs and servers of this host: all as one user
 * of their own if this machine supports it, each isolated like agents' shells. Thread-safe.
 */
public final class SandboxedCommands {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxedCommands.class);

    /** What is passed on of the runner's own environment; nothing else is. */
    private static final Set<String> PASSED_ON =
            Set.of("PATH", "HOME", "LANG", "LC_ALL", "TERM", "USER", "TZ");

    private static final String JOB = "SKEP_JOB=";

    /** The time between TERM and KILL of a command on the leash. */
    static final Duration JOB_GRACE = Duration.ofSeconds(5);

    /** The time between TERM and KILL of a command without one. */
    public static final Duration SERVER_GRACE = Duration.ofSeconds(10);

    private final Sandbox sandbox;
    private final Sandbox.Confinement confinement;
    private final Path home;
    private final Map<String, String> basis;

    /**
     * A command line.
     *
     * @param folder where it starts
     * @param variables only the command's own bash, and what it starts, gets them
     */
    public record Line(String command, Path folder, Map<String, String> variables) {
        public Line {
            variables = Map.copyOf(variables);
        }
    }

    SandboxedCommands(
            Sandbox sandbox, Map<String, String> runnerEnvironment, Path home, List<Path> hidden) {
        this.sandbox = sandbox;
        this.home = home.toAbsolutePath().normalize();
        this.confinement = sandbox.confine("jobs and servers are", this.home, this.home, hidden);
        var variables = new HashMap<>(runnerEnvironment);
        variables.keySet().retainAll(PASSED_ON);
        if (confinement.isolation() instanceof Isolation.OwnUser) {
            variables.put("HOME", this.home.toString());
            variables.put("USER", "jobs");
        }
        this.basis = Map.copyOf(variables);
    }

    /** The folder that is theirs. */
    public Path home() {
        return home;
    }

    public Isolation isolation() {
        return confinement.isolation();
    }

    /** Starts a command that ends with this runner, however that ends. */
    public GuardedCommand start(Line line) throws IOException {
        String mark = JOB + home + ":" + UUID.randomUUID();
        return new GuardedCommand(
                launch(line, mark, CommandLaunch.STANDARD_INPUT, JOB_GRACE).builder().start(),
                this,
                mark);
    }

    /**
     * Starts a command that outlives this runner; TERM ends it and all it started.
     *
     * @param mark known processes by, as {@code NAME=VALUE}; nothing else that carries it is left
     * @param log where its output goes
     */
    public Process startForGood(Line line, String mark, Path log) throws IOException {
        MarkedProcesses.kill(mark::equals);
        return launch(line, mark, CommandLaunch.NO_LEASH, SERVER_GRACE)
                .builder()
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectErrorStream(true)
                .start();
    }

    private CommandLaunch launch(Line line, String mark, String leash, Duration grace) {
        return new CommandLaunch(
                CommandLaunch.Work.line(line),
                sandbox.bash(),
                confinement,
                false,
                confinement.isolation().dropForJobs(),
                List.of(home),
                mark,
                leash,
                grace,
                "-",
                basis);
    }

    /**
     * Ends the remaining commands of an earlier runner whose guards were killed with it. To be
     * called before the first is started.
     */
    public void endLeftovers() {
        int found = MarkedProcesses.kill(variable -> variable.startsWith(JOB + home + ":"));
        if (found > 0) {
            LOG.warn("ended what an earlier runner left of its jobs processes={}", found);
        }
    }

    /** In a namespace there is nothing to sweep. */
    void sweep(String mark) {
        if (!confinement.isolation().walled()) {
            MarkedProcesses.kill(mark::equals);
        }
    }

    /**
     * Why no command may start in its own folder or below it: another user can write there. The
     * folders above belong to the administrator of this host and are not checked.
     *
     * @param real without links, as is the folder itself
     */
    public Optional<String> objectionToOwn(Path realHome, Path real) {
        return WorkFolders.openToOthersBelow(
                        realHome.resolveSibling("").resolveSibling(""),
                        real,
                        WorkFolders.ownerOf(realHome))
                .map(
                        open ->
                                "agents or everybody may write to %1$s; on the host, look at what is in there, then run: chmod -R go-w %1$s"
                                        .formatted(open));
    }

    /**
     * Why no command may start in a folder outside its own: a user who can change files there could
     * make a harmless command do something else.
     *
     * @param real without links
     */
    public Optional<String> whyNotIn(Path real) {
        int uid = confinement.isolation() instanceof Isolation.OwnUser(int own, _) ? own : -1;
        Optional<Path> open = WorkFolders.firstWritableByOthers(real, uid);
        if (open.isPresent()) {
            return Optional.of(
                    "agents or everybody may write to %s; use one below work/.jobs of the data dir, or one that only its owner may change"
                            .formatted(open.get()));
        }
        if (uid < 0) {
            return Optional.empty();
        }
        return WorkFolders.firstInaccessible(real.resolve("inside"), uid)
                .map(
                        folder ->
                                "jobs run as user %d, who may not enter %s; let that user, or use a folder below work/.jobs of the data dir"
                                        .formatted(uid, folder));
    }
}
