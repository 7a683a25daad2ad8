package dev.skep.runner.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** Where the programs of runtimes are on this host. Stateless but for the path it searches. */
public final class RuntimeProgramFinder {
    private final Function<Path, Optional<Path>> obstacles;
    private final String path;

    /**
     * Searches a path as a shell would.
     *
     * @param obstacles what keeps agents' users from a program
     */
    RuntimeProgramFinder(Function<Path, Optional<Path>> obstacles, String path) {
        this.obstacles = obstacles;
        this.path = path;
    }

    /** A program, or why there is none. */
    public sealed interface Lookup {
        record Found(Path program) implements Lookup {}

        /** One line that names the program and the fix. */
        record Missing(String why) implements Lookup {}
    }

    /** Looks for what starts a runtime. */
    public Lookup find(RuntimeDefinition definition) {
        String word = definition.command().getFirst();
        Optional<Path> found = search(word);
        if (found.isEmpty()) {
            return new Lookup.Missing(
                    "runtime %s: there is no program %s on this host; run: %s"
                            .formatted(definition.name(), word, definition.install()));
        }
        return obstacle(found.get())
                .<Lookup>map(
                        closed ->
                                new Lookup.Missing(
                                        "runtime %s: agents' users may not reach %s, since %s is closed to them; install it for everybody, for example below /usr/local"
                                                .formatted(definition.name(), found.get(), closed)))
                .orElseGet(() -> new Lookup.Found(found.get()));
    }

    /** A word with a slash is a path; any other is looked for where a shell would. */
    Optional<Path> search(String word) {
        if (word.contains("/")) {
            Path program = Path.of(word);
            return program.isAbsolute() && executable(program)
                    ? Optional.of(program)
                    : Optional.empty();
        }
        for (String folder : path.split(":", -1)) {
            Path program = Path.of(folder, word);
            if (folder.startsWith("/") && executable(program)) {
                return Optional.of(program);
            }
        }
        return Optional.empty();
    }

    private static boolean executable(Path program) {
        return Files.isRegularFile(program) && Files.isExecutable(program);
    }

    /** Both the link that a package manager made and what it leads to must be open. */
    private Optional<Path> obstacle(Path program) {
        try {
            Path folder = program.getParent();
            Optional<Path> onTheWay =
                    folder == null ? Optional.empty() : obstacles.apply(folder.toRealPath());
            return onTheWay.isPresent() ? onTheWay : obstacles.apply(program.toRealPath());
        } catch (IOException gone) {
            return Optional.of(program);
        }
    }
}
