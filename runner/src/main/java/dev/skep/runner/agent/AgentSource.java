package dev.skep.runner.agent;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An agent's file as it was found.
 *
 * @param path below the agents folder, with {@code /} on every system
 * @param lead the username its folder makes its lead, or null
 * @param text what the file says, word for word
 */
public record AgentSource(
        String username,
        String path,
        Path file,
        @Nullable String lead,
        AgentFile content,
        String text) {
    public Path folder() {
        Path parent = file.getParent();
        return parent == null ? Path.of("") : parent;
    }
}
