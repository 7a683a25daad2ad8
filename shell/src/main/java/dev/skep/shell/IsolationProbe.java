package dev.skep.shell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the strongest isolation by trying each, since no file of the system says what works. */
final class IsolationProbe {
    private final Path bash;
    private final String path;

    IsolationProbe(Path bash, String path) {
        this.bash = bash;
        this.path = path;
    }

    Isolation strongest() {
        if (!ShellTools.LINUX) {
            return new Isolation.None("this system has no namespaces");
        }
        boolean root = "root".equals(System.getProperty("user.name"));
        List<Isolation> candidates =
                root
                        ? List.of(
                                new Isolation.OwnUser(AgentUsers.FIRST, true),
                                new Isolation.OwnUser(AgentUsers.FIRST, false))
                        : List.of(new Isolation.Namespaces());
        for (Isolation candidate : candidates) {
            if (works(candidate)) {
                return candidate;
            }
        }
        return new Isolation.None(
                root
                        ? "root may neither change user nor make namespaces here"
                        : "user namespaces are switched off here, or util-linux is older than 2.38");
    }

    /** Does what the guard does: mount over a folder, then run bash with less rights. */
    private boolean works(Isolation candidate) {
        var command = new ArrayList<>(candidate.enter());
        command.add(bash.toString());
        command.add("-c");
        command.add(
                (candidate.walled() ? "mount -t tmpfs -o size=64k skep /tmp && " : "")
                        + "exec \"$@\"");
        command.add("probe");
        command.addAll(candidate.drop());
        command.addAll(List.of(bash.toString(), "-c", ":"));
        return ShellTools.succeeds(command, path);
    }
}
