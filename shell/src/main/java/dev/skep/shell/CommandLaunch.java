package dev.skep.shell;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the guard of one command line is started.
 *
 * @param home the folder of all such commands, which stays visible
 * @param mark in the environment of everything the command spawns, as {@code NAME=VALUE}
 * @param leashed whether it ends with the runner
 * @param grace the time between TERM and KILL
 * @param basis the variables every command gets
 */
record CommandLaunch(
        SandboxedCommands.Line line,
        Path bash,
        Path home,
        Sandbox.Confinement wall,
        String mark,
        boolean leashed,
        Duration grace,
        Map<String, String> basis) {

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
        words.addAll(List.of(mark, home.toString(), line.folder().toString(), owner()));
        words.addAll(List.of(isolation.walled() ? "1" : "0", leashed ? "1" : "0"));
        words.add("" + grace.toSeconds());
        List<String> drop = isolation.dropForJobs();
        words.add("" + drop.size());
        words.addAll(drop);
        if (isolation.walled()) {
            wall.hidden().forEach(path -> words.add(path.toString()));
        }
        return words;
    }

    private String owner() {
        return wall.isolation() instanceof Isolation.OwnUser(int uid, _) ? "" + uid : "-";
    }

    /** The command's own variables under names that mean nothing to the guard. */
    private Map<String, String> guardEnvironment() {
        var variables = new HashMap<>(basis);
        int number = 0;
        for (var variable : line.variables().entrySet()) {
            variables.put(
                    "SKEP_VARIABLE_" + ++number, variable.getKey() + "=" + variable.getValue());
        }
        variables.put("SKEP_GUARD", ShellTools.commandGuard());
        variables.put("SKEP_COMMAND", line.command());
        int equals = mark.indexOf('=');
        variables.put(mark.substring(0, equals), mark.substring(equals + 1));
        return variables;
    }
}
