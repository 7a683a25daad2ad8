package dev.skep.runner.agent;

import dev.skep.models.yaml.YamlProblem;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An agent's file as it was found.
 *
 * @param path below the agents folder, with {@code /} on every system
 * @param lead the username its folder makes its lead, or null
 * @param text the file's text, unchanged
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

    /** Something wrong with the value of a key, where the file has it. */
    public YamlProblem problem(String key, String message) {
        List<String> lines = text.lines().toList();
        int line =
                IntStream.range(0, lines.size())
                        .filter(i -> lines.get(i).startsWith(key + ":"))
                        .findFirst()
                        .orElse(0);
        return new YamlProblem(path, line + 1, 1, key, message);
    }
}
