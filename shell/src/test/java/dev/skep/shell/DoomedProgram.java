package dev.skep.shell;

import java.nio.file.Path;

/** A runner of its own process, to be killed by a test while its program works. */
final class DoomedProgram {
    private DoomedProgram() {}

    public static void main(String[] arguments) throws Exception {
        Programs programs = ProgramsBehindAWallTest.Kind.valueOf(arguments[0]).programs();
        GuardedProgram program =
                programs.start(
                        ProgramsBehindAWallTest.settings(Path.of(arguments[1]), arguments[2]));
        program.output().transferTo(System.out);
    }
}
