package dev.skep.worker;

import dev.skep.shell.SandboxedCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What this host lets jobs and servers run: which commands, with which variables, in which folders.
 * Nothing in a job is trusted before it was checked here. Thread-safe.
 */
public final class HostRules {
    private static final int NAMES_SHOWN = 8;
    private static final int LONGEST_NAME = 60;

    private final AllowedCommands commands;
    private final AllowedEnv environment;
    private final SandboxedCommands walls;
    private final Path dataDir;

    /** What a job or the spec of a server asks for. */
    record RequestedCommand(
            String command, Optional<String> cwd, Map<String, String> environment) {}

    /**
     * Over what the host lists.
     *
     * @param dataDir where nothing runs but in the folder of jobs
     */
    public HostRules(
            AllowedCommands commands,
            AllowedEnv environment,
            SandboxedCommands walls,
            Path dataDir) {
        this.commands = commands;
        this.environment = environment;
        this.walls = walls;
        this.dataDir = dataDir.toAbsolutePath().normalize();
    }

    /** What to run, if all of it is allowed. */
    SandboxedCommands.Line checked(RequestedCommand requestedCommand) throws NotAllowedException {
        return checked(
                requestedCommand,
                refused -> {
                    throw new NotAllowedException(
                            refused.stream().allMatch(AllowedEnv::canPass)
                                    ? "this host passes no variable %s on; add it to allowed-env in its data dir"
                                            .formatted(shown(refused))
                                    : "this host passes no variable %s on; leave it out"
                                            .formatted(shown(refused)));
                });
    }

    /**
     * The same for what was allowed once and starts again: a variable that does not pass is left
     * out, so that what ran before the host had such a list keeps running.
     */
    SandboxedCommands.Line checkedAgain(RequestedCommand requestedCommand, Consumer<String> leftOut)
            throws NotAllowedException {
        return checked(requestedCommand, refused -> leftOut.accept(shown(refused)));
    }

    private interface OnRefused {
        void accept(Set<String> names) throws NotAllowedException;
    }

    private SandboxedCommands.Line checked(RequestedCommand requestedCommand, OnRefused onRefused)
            throws NotAllowedException {
        if (requestedCommand.command().indexOf(0) >= 0) {
            throw new NotAllowedException(
                    "the command has a NUL character, which no command can have");
        }
        if (!commands.allow(requestedCommand.command())) {
            throw new NotAllowedException(
                    "this host does not allow this command; add it to allowed-commands in its data dir");
        }
        Map<String, String> passing = environment.passing(requestedCommand.environment());
        TreeSet<String> refused = new TreeSet<>(requestedCommand.environment().keySet());
        refused.removeAll(passing.keySet());
        if (!refused.isEmpty()) {
            onRefused.accept(refused);
        }
        return new SandboxedCommands.Line(
                requestedCommand.command(), folder(requestedCommand.cwd()), passing);
    }

    /** The caller chose the names: few of them, short, and without control characters. */
    private static String shown(Set<String> names) {
        List<String> few =
                names.stream()
                        .limit(NAMES_SHOWN)
                        .map(name -> name.replaceAll("[^\\x20-\\x7e]", "?"))
                        .map(
                                name ->
                                        name.length() > LONGEST_NAME
                                                ? name.substring(0, LONGEST_NAME) + "…"
                                                : name)
                        .toList();
        return few.stream().collect(Collectors.joining(", "))
                + (names.size() > NAMES_SHOWN ? ", …" : "");
    }

    private Path folder(Optional<String> cwd) throws NotAllowedException {
        return folder(cwd.orElse(""));
    }

    private Path folder(String cwd) throws NotAllowedException {
        Path home = walls.home();
        try {
            Path asked = JobsFolder.meant(dataDir, home.resolve(cwd).normalize());
            boolean leadsOut = !Path.of(cwd).isAbsolute() && !asked.startsWith(home);
            if (leadsOut || (asked.startsWith(dataDir) && !asked.startsWith(home))) {
                throw outside(cwd);
            }
            Path real = asked.toRealPath();
            if (!Files.isDirectory(real)) {
                throw missing(asked);
            }
            Path realHome = home.toRealPath();
            boolean own = real.startsWith(realHome);
            if (!own && real.startsWith(dataDir.toRealPath())) {
                throw outside(cwd);
            }
            Optional<String> objection =
                    own ? walls.objectionToOwn(realHome, real) : walls.whyNotIn(real);
            if (objection.isPresent()) {
                throw new NotAllowedException(
                        "jobs do not run in %s: %s".formatted(real, objection.get()));
            }
            return real;
        } catch (InvalidPathException e) {
            throw new NotAllowedException("cwd is no path of a folder");
        } catch (IOException e) {
            throw missing(home.resolve(cwd));
        }
    }

    private static NotAllowedException outside(String cwd) {
        return new NotAllowedException(
                "jobs do not run in %s: of the data dir they have only work/.jobs; use a folder below that, or a full path elsewhere"
                        .formatted(cwd));
    }

    private static NotAllowedException missing(Path folder) {
        return new NotAllowedException("there is no folder %s on this host".formatted(folder));
    }
}
