package dev.skep.shell;

import java.nio.file.Path;

/** A runner of its own process, to be started where signals are ignored. */
final class DeafRunner {
    private DeafRunner() {}

    public static void main(String[] arguments) throws Exception {
        try (Shell shell = TestShells.valueOf(arguments[0]).open(Path.of(arguments[1]))) {
            shell.run("kept=yes", TestShells.LONG);
            TestShells.begin(shell, "echo begun; sleep 600");
            System.out.println(TestShells.status(shell.kill()));
            System.out.print(TestShells.finished(shell.run("echo $kept", TestShells.LONG)));
        }
    }
}
