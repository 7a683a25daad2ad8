package dev.skep.shell;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the guard of one command line or program is started.
 *
 * @param work what it runs
 * @param wall its isolation and what that hides
 * @param terminal whether what it reads and prints is not its own but a person's terminal
 * @param drop the words that take the runner's rights from it
 * @param kept the folders that stay visible
 * @param mark in the environment of everything the command spawns, as {@code NAME=VALUE}
 * @param leash what ends it with the runner
 * @param grace the time between TERM and KILL
 * @param umask of all that it makes, or {@code -}
 * @param basis the variables every command gets
 */
record CommandLaunch(
        Work work,
        Path bash,
        Sandbox.Confinement wall,
        boolean terminal,
        List<String> drop,
        List<Path> kept,
        String mark,
        String leash,
        Duration grace,
        String umask,
        Map<String, String> basis) {

    /** Nothing ends it but a signal. */
    static final String NO_LEASH = "0";

    /** Its standard input is a pipe to the runner and nothing else. */
    static final String STANDARD_INPUT = "1";

    /**
     * What a guard runs.
     *
     * @param command a command line, or empty
     * @param words a program and its arguments, or none
     * @param files texts to be written as its user before it starts
     * @param variables only the command, and what it starts, gets them
     */
    record Work(
            String command,
            List<String> words,
            Path folder,
            Map<Path, String> files,
            Map<String, String> variables) {
        static Work line(SandboxedCommands.Line line) {
            return new Work(line.command(), List.of(), line.folder(), Map.of(), line.variables());
        }
    }

    ProcessBuilder builder() {
        ProcessBuilder builder = new ProcessBuilder(words()).directory(Path.of("/").toFile());
        builder.environment().clear();
        builder.environment().putAll(guardEnvironment());
        return builder;
    }

    private List<String> words() {
        Isolation isolation = wall.isolation();
        var words = new ArrayList<>(isolation.enter());
        words.addAll(List.of(bash.toString(), "-c", "eval \"$SKEP_GUARD\"", "skep-command"));
        words.addAll(List.of(mark, work.folder().toString(), owner()));
        words.addAll(List.of(isolation.walled() ? "1" : "0", leash, "" + grace.toSeconds()));
        words.add(umask);
        counted(words, drop);
        counted(words, kept.stream().map(Path::toString).toList());
        counted(words, work.words());
        if (isolation.walled()) {
            wall.hidden().forEach(path -> words.add(path.toString()));
        }
        return words;
    }

    private static void counted(List<String> words, List<String> further) {
        words.add("" + further.size());
        words.addAll(further);
    }

    private String owner() {
        return wall.isolation() instanceof Isolation.OwnUser(int uid, _) && !terminal
                ? "" + uid
                : "-";
    }

    /** The command's own variables under names that mean nothing to the guard. */
    private Map<String, String> guardEnvironment() {
        var variables = new HashMap<>(basis);
        int number = 0;
        for (var variable : work.variables().entrySet()) {
            variables.put(
                    "SKEP_VARIABLE_" + ++number, variable.getKey() + "=" + variable.getValue());
        }
        for (var file : work.files().entrySet()) {
            variables.put("SKEP_FILE_" + ++number, file.getKey() + "\n" + file.getValue());
        }
        variables.put("SKEP_GUARD", ShellTools.commandGuard());
        variables.put("SKEP_COMMAND", work.command());
        int equals = mark.indexOf('=');
        variables.put(mark.substring(0, equals), mark.substring(equals + 1));
        return variables;
    }
}
