package dev.skep.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How one guard is started.
 *
 * @param token known to the runner and the guard only; frames their reports. It and the script are
 *     handed over as variables, since every process may read another's arguments
 * @param tag in the environment of everything the shell spawns
 * @param basis what the guard, which may still have the runner's rights, is started with
 * @param variables the agent's own, which must reach nothing but its shell: one that changes how
 *     programs start would run its code with the guard's rights
 * @param shared whether other agents should be able to change what this one makes
 * @param hidden what the namespace does not show
 */
record ShellLaunch(
        String agent,
        Path bash,
        Path folder,
        boolean shared,
        Isolation isolation,
        String token,
        String tag,
        Map<String, String> basis,
        Map<String, String> variables,
        List<Path> hidden) {

    List<String> command(Path scratch) {
        var words = new ArrayList<>(isolation.enter());
        words.addAll(List.of(bash.toString(), "-c", "eval \"$SKEP_GUARD\"", "skep-" + agent));
        words.addAll(List.of(tag, scratch.toString(), folder.toString(), owner()));
        words.addAll(List.of(isolation.walled() ? "1" : "0", umask()));
        List<String> drop = isolation.drop();
        words.add("" + drop.size());
        words.addAll(drop);
        if (isolation.walled()) {
            hidden.forEach(path -> words.add(path.toString()));
        }
        return words;
    }

    /**
     * What the guard is started with: harmless variables, those that it keeps to itself, and the
     * shell's under names that mean nothing to any program.
     */
    Map<String, String> guardEnvironment() {
        var environment = new HashMap<>(basis);
        environment.put("SKEP_SHELL", tag);
        environment.putAll(ShellEnvironment.numbered(variables));
        environment.put("SKEP_GUARD", ShellTools.shellGuard());
        environment.put("SKEP_TOKEN", token);
        return environment;
    }

    /** What an agent makes is for itself, or for those it shares its folder with. */
    private String umask() {
        if (!(isolation instanceof Isolation.OwnUser)) {
            return "-";
        }
        return shared ? "007" : "077";
    }

    private String owner() {
        return isolation instanceof Isolation.OwnUser(int uid, _) ? "" + uid : "-";
    }

    /**
     * Kills what still carries the tag. A process that cleared its environment and left its parents
     * is missed; in a namespace there is nothing to miss.
     */
    void sweep() {
        if (isolation.walled() || !ShellTools.LINUX) {
            return;
        }
        MarkedProcesses.kill(("SKEP_SHELL=" + tag)::equals);
    }

    static void deleteScratch(Path scratch) throws IOException {
        for (String name : List.of("control", "input", "folder0", "")) {
            Files.deleteIfExists(scratch.resolve(name));
        }
    }
}
