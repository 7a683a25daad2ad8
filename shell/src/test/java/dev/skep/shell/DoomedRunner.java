package dev.skep.shell;

import java.nio.file.Path;
import java.time.Duration;

/** A runner of its own process, to be killed by a test while its shell works. */
final class DoomedRunner {
    private DoomedRunner() {}

    public static void main(String[] arguments) throws Exception {
        Shell shell = TestShells.valueOf(arguments[0]).open(Path.of(arguments[1]));
        shell.run(arguments[2], TestShells.LONG);
        shell.run("sleep 600", Duration.ZERO);
        System.out.println("busy");
        shell.await(TestShells.LONG);
    }
}
