package dev.skep.runner.agent;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.models.yaml.YamlProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of agents' files. {@code x.yaml} with a folder {@code x} beside it leads the agents in
 * there. Scripts ({@code *.script.yaml}) and hidden files are no agents.
 */
public final class AgentFolder {
    private final Path root;

    public AgentFolder(Path root) {
        this.root = root;
    }

    public Path root() {
        return root;
    }

    /** The good files and the problems of the bad ones: one bad file does not stop the others. */
    public record Found(List<AgentSource> agents, List<YamlProblem> problems) {
        public Found {
            agents = List.copyOf(agents);
            problems = List.copyOf(problems);
        }
    }

    public Found read() {
        Scan scan = new Scan();
        if (Files.isDirectory(root)) {
            scan.folder(root, null);
        }
        return new Found(scan.agents, scan.problems);
    }

    /** One pass over the folder. */
    private final class Scan {
        private final List<AgentSource> agents = new ArrayList<>();
        private final List<YamlProblem> problems = new ArrayList<>();
        private final Map<String, String> paths = new HashMap<>();

        void folder(Path folder, @Nullable String lead) {
            Map<String, String> leads = new HashMap<>();
            List<Path> entries = entries(folder);
            entries.stream()
                    .filter(AgentFolder::isAgentFile)
                    .filter(Files::isRegularFile)
                    .forEach(file -> leads.put(stem(file), file(file, lead)));
            entries.stream()
                    .filter(Files::isDirectory)
                    .forEach(sub -> folder(sub, leads.getOrDefault(name(sub), lead)));
        }

        /** Reads one file and returns the name its subordinates know it by, even if it is bad. */
        private String file(Path file, @Nullable String lead) {
            String path = root.relativize(file).toString().replace('\\', '/');
            String text;
            try {
                text = Files.readString(file);
            } catch (IOException e) {
                problems.add(new YamlProblem(path, 1, 1, "", "cannot be read as UTF-8 text"));
                return stem(file);
            }
            return switch (YamlBinder.parse(path, text, AgentFile.class)) {
                case BindingResult.Value<AgentFile>(var content) ->
                        good(file, path, lead, content, text);
                case BindingResult.Problems<AgentFile>(var found) -> {
                    problems.addAll(found);
                    yield stem(file);
                }
            };
        }

        private String good(
                Path file, String path, @Nullable String lead, AgentFile content, String text) {
            String username = content.username() == null ? stem(file) : content.username();
            String other = paths.putIfAbsent(username, path);
            if (other == null) {
                agents.add(new AgentSource(username, path, file, lead, content, text));
            } else {
                problems.add(
                        new YamlProblem(
                                path,
                                1,
                                1,
                                "username",
                                "'%s' is taken by %s; choose another".formatted(username, other)));
            }
            return username;
        }
    }

    private static List<Path> entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(path -> !name(path).startsWith(".")).sorted().toList();
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot list %s; make it readable by this user".formatted(folder),
                    e);
        }
    }

    /** Whether a file of this name is an agent's. */
    static boolean isAgentFile(Path path) {
        String name = name(path);
        return (name.endsWith(".yaml") || name.endsWith(".yml")) && !name.contains(".script.");
    }

    private static String stem(Path file) {
        return name(file).replaceFirst("\\.ya?ml$", "");
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }
}
