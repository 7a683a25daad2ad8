package dev.skep.fleet.agent;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The commands of coding agents on this machine.
 *
 * @param path where they are looked for, as in PATH
 */
public record AgentPackages(String path) {
    /** What to do where they are not. */
    public static final String HOW_TO_INSTALL =
            "no such agent here: npm ci in .ci/agents, and name its node_modules/.bin with -Dskep.agents.packages";

    /** Those of the folder that a property names, and of the PATH. */
    public static AgentPackages here() {
        String folder = System.getProperty("skep.agents.packages", "");
        String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        return new AgentPackages(folder.isEmpty() ? path : folder + ":" + path);
    }

    /** Whether all of these commands are there. */
    public boolean have(String... commands) {
        return Stream.of(commands).allMatch(command -> command(command).isPresent());
    }

    /** The program that a command runs. */
    public Optional<Path> command(String name) {
        return Stream.of(path.split(":"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The folder with the packages of npm, if this one is in it. */
    public static Optional<Path> folderWith(String npmPackage) {
        return Optional.ofNullable(
                        Path.of(System.getProperty("skep.agents.packages", "")).getParent())
                .filter(folder -> Files.isDirectory(folder.resolve(npmPackage)));
    }
}
