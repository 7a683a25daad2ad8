package dev.skep.runner.managed;

import dev.skep.runner.acp.SessionUpdate.ToolContent;
import dev.skep.runner.acp.SessionUpdate.ToolLocation;
import dev.skep.runner.approval.Protection;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the use of a tool would do, in the words that the lists of an agent's file have: a command,
 * or the paths that it touches.
 *
 * @param shown what a person decides about, and what a new rule names
 * @param parts each with the ways to write it; a path within the agent's folder has two
 * @param own whether it is one of our tools, which run unless they are denied
 */
record ToolAction(String shown, List<List<String>> parts, boolean own) {
    private static final List<String> COMMANDS = List.of("command", "cmd", "script");
    private static final List<String> PATHS =
            List.of("file_path", "filePath", "abs_path", "absolute_path", "notebook_path", "path");
    private static final Set<String> SHELLS = Set.of("bash", "sh", "zsh", "/bin/bash", "/bin/sh");
    private static final int LONGEST = 8_000;

    /** The use of a tool of ours, by its name. */
    static ToolAction ofOwn(String tool) {
        String name = SkepToolDetector.SERVER + "." + tool;
        return new ToolAction(name, List.of(List.of(name)), true);
    }

    static ToolAction of(ToolUse use, Path folder) {
        Map<?, ?> input = use.input() == null ? Map.of() : fields(use.input());
        Optional<String> command = command(input);
        if (command.isPresent()) {
            return new ToolAction(bounded(command.get()), List.of(List.of(command.get())), false);
        }
        Set<String> paths = new LinkedHashSet<>();
        use.diffs().stream().map(ToolContent.Diff::path).forEach(paths::add);
        if (paths.isEmpty()) {
            use.locations().stream().map(ToolLocation::path).forEach(paths::add);
            texts(input, PATHS).forEach(paths::add);
        }
        List<List<String>> parts = new ArrayList<>();
        paths.forEach(path -> parts.add(ways(path, folder)));
        if (parts.isEmpty()) {
            List<String> url = texts(input, List.of("url")).toList();
            parts.add(url.isEmpty() ? List.of(use.title()) : url);
        }
        return new ToolAction(
                bounded(String.join("\n", parts.stream().map(List::getFirst).distinct().toList())),
                List.copyOf(parts),
                false);
    }

    /** What the lists say; a denied part denies the whole, and each part must be allowed. */
    Protection.Verdict verdict(Protection protection) {
        boolean ask = false;
        for (List<String> ways : parts) {
            boolean runs = false;
            for (String way : ways) {
                Protection.Verdict verdict = protection.evaluate(way);
                if (verdict instanceof Protection.Verdict.Refuse) {
                    return verdict;
                }
                runs |= verdict instanceof Protection.Verdict.Run;
            }
            ask |= !runs;
        }
        return ask && !own && !(protection.evaluate(shown) instanceof Protection.Verdict.Run)
                ? new Protection.Verdict.Ask()
                : new Protection.Verdict.Run();
    }

    private static Map<?, ?> fields(String input) {
        return LogDetailJson.values(input) instanceof Map<?, ?> fields ? fields : Map.of();
    }

    private static Optional<String> command(Map<?, ?> input) {
        for (String name : COMMANDS) {
            switch (input.get(name)) {
                case String text when !text.isBlank() -> {
                    return Optional.of(text);
                }
                case List<?> words when !words.isEmpty() -> {
                    return Optional.of(line(words.stream().map(String::valueOf).toList()));
                }
                case null, default -> {}
            }
        }
        return Optional.empty();
    }

    /** What a shell would be given, if that is what the words do. */
    private static String line(List<String> words) {
        boolean inShell =
                words.size() == 3
                        && SHELLS.contains(words.getFirst())
                        && words.get(1).matches("-l?c");
        return inShell ? words.get(2) : String.join(" ", words);
    }

    private static Stream<String> texts(Map<?, ?> input, List<String> names) {
        return names.stream()
                .map(name -> (@Nullable Object) input.get(name))
                .flatMap(
                        value ->
                                value instanceof String text && !text.isBlank()
                                        ? Stream.of(text)
                                        : Stream.empty());
    }

    /** Without detours: a rule for src/* is none for src/../../etc. */
    private static List<String> ways(String path, Path folder) {
        try {
            Path whole = folder.resolve(path).normalize();
            return whole.startsWith(folder) && !whole.equals(folder)
                    ? List.of(folder.relativize(whole).toString(), whole.toString())
                    : List.of(whole.toString());
        } catch (InvalidPathException e) {
            return List.of(path);
        }
    }

    private static String bounded(String text) {
        return TextTruncator.cut(text, LONGEST);
    }
}
