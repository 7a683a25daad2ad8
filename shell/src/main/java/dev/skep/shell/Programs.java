package dev.skep.shell;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Starts programs of agents behind the wall that their shells have. */
public interface Programs {
    /** Starts a program that ends with this runner, however that ends. */
    GuardedProgram start(ProgramSettings settings) throws IOException;

    /**
     * Starts a program that talks to the person at this process's terminal.
     *
     * @return when it has ended, its status
     */
    int runInteractively(ProgramSettings settings) throws IOException, InterruptedException;

    /** The folder or file on the way to a program that agents' users may not enter or run. */
    Optional<Path> obstacle(Path program);

    /**
     * Ends the programs of an earlier runner that were started in homes below this folder and whose
     * guards were killed with it.
     */
    void endLeftovers(Path homes);
}
