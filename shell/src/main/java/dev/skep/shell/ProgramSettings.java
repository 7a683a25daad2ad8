package dev.skep.shell;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a program of an agent is given, which runs beside the agent's shell as the same user.
 *
 * @param own the agent's folder, whose owner is the agent's user; made if missing
 * @param home the program's own home, which only the agent can look into where the OS allows; made
 *     if missing
 * @param folder where it starts; made if missing
 * @param command the program, as an absolute path, and its arguments, which anyone on this machine
 *     may read
 * @param files texts written as the agent's user before it starts, by their path below the home
 * @param environment all variables beyond PATH, HOME, LANG, TERM, USER and the like; nothing of the
 *     runner's own environment is passed on
 * @param hidden files and folders it must not be able to read where the OS allows
 * @param kept further folders that it needs, which stay even inside a hidden one
 */
public record ProgramSettings(
        String agent,
        Path own,
        Path home,
        Path folder,
        List<String> command,
        Map<String, String> files,
        Map<String, String> environment,
        List<Path> hidden,
        List<Path> kept) {
    /** The kernel takes no longer variable, and files are handed over as one each. */
    private static final int LONGEST = 120_000;

    public ProgramSettings {
        command = List.copyOf(command);
        files = Map.copyOf(files);
        environment = Map.copyOf(environment);
        hidden = List.copyOf(hidden);
        kept = List.copyOf(kept);
        files.forEach(
                (path, text) -> {
                    Path below = Path.of("/home").resolve(path).normalize();
                    if (path.indexOf('\n') >= 0
                            || !below.startsWith("/home")
                            || below.getNameCount() < 2) {
                        throw new IllegalArgumentException(
                                "'%s' is no path below a home".formatted(path));
                    }
                    if (text.length() * 3L > LONGEST) {
                        throw new IllegalArgumentException(path + " is too long a text");
                    }
                });
    }
}
