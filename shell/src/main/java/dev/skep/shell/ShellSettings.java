package dev.skep.shell;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What an agent's shell is given.
 *
 * @param own the agent's folder, which only it can look into where the OS allows; made if missing
 * @param folder where it starts: its own folder, or one it shares with others; made if missing
 * @param environment all variables beyond PATH, HOME, LANG, TERM, USER and the like; nothing of the
 *     runner's own environment is passed on
 * @param hidden files and folders the shell must not be able to read where the OS allows
 * @param outputChars the cap of one outcome's output, half head, half tail
 */
public record ShellSettings(
        String agent,
        Path own,
        Path folder,
        Map<String, String> environment,
        List<Path> hidden,
        int outputChars) {
    public ShellSettings {
        environment = Map.copyOf(environment);
        hidden = List.copyOf(hidden);
    }

    /** For an agent that starts in its own folder. */
    public ShellSettings(
            String agent,
            Path own,
            Map<String, String> environment,
            List<Path> hidden,
            int outputChars) {
        this(agent, own, own, environment, hidden, outputChars);
    }
}
