package dev.skep.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The processes under one bash, found and signalled when a command has to end early. */
final class ShellProcesses {
    private final ProcessHandle top;
    private final ShellLaunch launch;
    private final long shellPid;

    ShellProcesses(ProcessHandle top, ShellLaunch launch, long shellPid) {
        this.top = top;
        this.launch = launch;
        this.shellPid = shellPid;
    }

    /** INT, as the key would send it: to the shell and all of its foreground. */
    void interrupt() {
        shell().ifPresent(
                        shell ->
                                ShellTools.succeeds(
                                        List.of(
                                                launch.bash().toString(),
                                                "-c",
                                                "kill -INT -- -" + shell.pid()),
                                        launch.basis().getOrDefault("PATH", "/bin:/usr/bin")));
    }

    /** TERM to what the running command started; earlier background jobs are left alone. */
    void terminate(List<Long> earlierJobs) {
        foreground(earlierJobs).forEach(ProcessHandle::destroy);
    }

    /** KILL to what the running command started. */
    void kill(List<Long> earlierJobs) {
        foreground(earlierJobs).forEach(ProcessHandle::destroyForcibly);
    }

    void killShell() {
        shell().ifPresent(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> foreground(List<Long> earlierJobs) {
        return shell().stream()
                .flatMap(shell -> descendants(shell, new HashSet<>(earlierJobs)))
                .toList();
    }

    private Stream<ProcessHandle> descendants(ProcessHandle parent, Set<Long> except) {
        return parent.children()
                .filter(child -> !except.contains(ownPid(child)))
                .flatMap(child -> Stream.concat(Stream.of(child), descendants(child, except)));
    }

    private Optional<ProcessHandle> shell() {
        // top is unshare, its child the guard; without namespaces top is the guard itself
        Stream<ProcessHandle> guards =
                launch.isolation().walled() ? top.children() : Stream.of(top);
        return guards.flatMap(ProcessHandle::children)
                .filter(child -> ownPid(child) == shellPid)
                .findFirst();
    }

    /** The pid a process has in the innermost namespace it is in. */
    private static long ownPid(ProcessHandle process) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
            return lines.filter(line -> line.startsWith("NSpid:"))
                    .map(line -> line.substring(line.lastIndexOf('\t') + 1))
                    .map(Long::parseLong)
                    .findFirst()
                    .orElse(process.pid());
        } catch (IOException noSuchFile) {
            return process.pid();
        }
    }
}
