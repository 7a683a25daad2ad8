package dev.skep.shell;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.Map;

/** A runner of its own process, to be killed by a test while its job works. */
final class DoomedJobs {
    private DoomedJobs() {}

    public static void main(String[] arguments) throws Exception {
        SandboxedCommands commands =
                CommandsBehindAWallTest.Kind.valueOf(arguments[0]).in(Path.of(arguments[1]));
        GuardedCommand job =
                commands.start(new SandboxedCommands.Line(arguments[2], commands.home(), Map.of()));
        try (BufferedReader output = job.process().inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                System.out.println(line);
            }
        }
    }
}
