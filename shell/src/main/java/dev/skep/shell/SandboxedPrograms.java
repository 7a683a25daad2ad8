package dev.skep.shell;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Programs} with the users and namespaces of agents' shells. */
final class SandboxedPrograms implements Programs {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxedPrograms.class);
    private static final String MARK = "SKEP_PROGRAM=";

    private final Sandbox sandbox;
    private final Map<String, String> runnerEnvironment;

    SandboxedPrograms(Sandbox sandbox, Map<String, String> runnerEnvironment) {
        this.sandbox = sandbox;
        this.runnerEnvironment = runnerEnvironment;
    }

    /**
     * A guard and the pipe that it ends with.
     *
     * @param sweep ends what it left
     */
    private record Started(Process process, RandomAccessFile leash, Runnable sweep) {}

    @Override
    public GuardedProgram start(ProgramSettings settings) throws IOException {
        Started started = start(settings, false);
        return new GuardedProgram(
                started.process(), started.leash(), started.sweep(), settings.agent());
    }

    @Override
    public int runInteractively(ProgramSettings settings) throws IOException, InterruptedException {
        Started started = start(settings, true);
        try {
            return started.process().waitFor();
        } finally {
            started.leash().close();
            started.process().onExit().join();
            started.sweep().run();
        }
    }

    private Started start(ProgramSettings settings, boolean terminal) throws IOException {
        Path scratch = Files.createTempDirectory("skep-program-");
        Path pipe = scratch.resolve("leash");
        try {
            sandbox.tool("mkfifo", "-m", "600", pipe.toString());
            // For both directions, since opening it for one waits for the other end.
            RandomAccessFile leash = new RandomAccessFile(pipe.toFile(), "rw");
            try {
                CommandLaunch launch = launch(settings, pipe.toString(), terminal);
                ProcessBuilder builder = launch.builder();
                return new Started(
                        (terminal ? builder.inheritIO() : builder).start(),
                        leash,
                        () -> sweep(launch));
            } catch (IOException | RuntimeException e) {
                leash.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(pipe);
            Files.deleteIfExists(scratch);
            throw e;
        }
    }

    private CommandLaunch launch(ProgramSettings settings, String leash, boolean terminal) {
        Path own = settings.own().toAbsolutePath().normalize();
        Path home = settings.home().toAbsolutePath().normalize();
        Path folder = settings.folder().toAbsolutePath().normalize();
        var kept = new ArrayList<>(List.of(home, folder));
        settings.kept().forEach(each -> kept.add(each.toAbsolutePath().normalize()));
        Sandbox.Confinement wall =
                sandbox.confine(
                        "programs of " + settings.agent(),
                        own,
                        folder,
                        settings.hidden(),
                        Optional.of(home),
                        kept);
        var files = new HashMap<Path, String>();
        settings.files().forEach((path, text) -> files.put(home.resolve(path).normalize(), text));
        Map<String, String> variables =
                ShellEnvironment.own(
                        settings.agent(),
                        home.toString(),
                        sandbox.bash().toString(),
                        settings.environment());
        return new CommandLaunch(
                new CommandLaunch.Work(
                        "",
                        settings.command(),
                        folder,
                        files,
                        ShellEnvironment.exportable(variables)),
                sandbox.bash(),
                wall,
                terminal,
                wall.isolation().drop(),
                List.copyOf(kept),
                MARK + home + ":" + UUID.randomUUID(),
                leash,
                GuardedProgram.GRACE,
                wall.isolation() instanceof Isolation.OwnUser && !folder.equals(own)
                        ? "007"
                        : "077",
                ShellEnvironment.basis(runnerEnvironment));
    }

    @Override
    public Optional<Path> obstacle(Path program) {
        return sandbox.isolation() instanceof Isolation.OwnUser(int uid, _)
                ? WorkFolders.firstInaccessible(program.resolve("inside"), uid)
                : Optional.empty();
    }

    @Override
    public void endLeftovers(Path homes) {
        String prefix = MARK + homes.toAbsolutePath().normalize() + "/";
        int found = MarkedProcesses.kill(variable -> variable.startsWith(prefix));
        if (found > 0) {
            LOG.warn(
                    "ended what an earlier runner left of its agents' programs processes={}",
                    found);
        }
    }

    /** In a namespace there is nothing to sweep. */
    private static void sweep(CommandLaunch launch) {
        if (!launch.wall().isolation().walled()) {
            MarkedProcesses.kill(launch.mark()::equals);
        }
    }
}
