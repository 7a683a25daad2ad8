package dev.skep.cli.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The NAME=value lines of a .env file, as shells and the seed projects write them. */
final class EnvFile {
    private static final Pattern ASSIGNMENT =
            Pattern.compile("\\s*(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)\\s*=\\s*(.*?)\\s*");
    private static final Pattern QUOTED = Pattern.compile("(['\"])(.*?)\\1\\s*(?:#.*)?");
    private static final Pattern COMMENT = Pattern.compile("(?:^|\\s+)#.*");
    private static final Set<String> KNOWN =
            Arrays.stream(Setting.values())
                    .flatMap(setting -> setting.names().stream())
                    .collect(Collectors.toUnmodifiableSet());

    record Line(String name, String value, int number) {}

    private final Path file;
    private final Map<String, Line> lines = new LinkedHashMap<>();

    private EnvFile(Path file) {
        this.file = file;
    }

    /** Reads the file; one that does not exist is empty. */
    static EnvFile read(Path file, ConfigProblems problems) {
        var result = new EnvFile(file);
        // A data dir that may not be entered is reported when it is opened.
        if (!Files.exists(file)) {
            return result;
        }
        List<String> text;
        try {
            text = Files.readAllLines(file);
        } catch (IOException e) {
            problems.add(file + " cannot be read; make it a text file that you may read");
            return result;
        }
        for (int i = 0; i < text.size(); i++) {
            result.take(text.get(i), i + 1, problems);
        }
        return result;
    }

    private void take(String text, int number, ConfigProblems problems) {
        if (text.isBlank() || text.strip().startsWith("#")) {
            return;
        }
        Matcher assignment = ASSIGNMENT.matcher(text);
        if (!assignment.matches()) {
            problems.add(
                    file + " line " + number + " is not a setting; write NAME=value or # comment");
            return;
        }
        String name = assignment.group(1);
        if (name.startsWith("SKEP_") && !KNOWN.contains(name)) {
            problems.add(
                    file
                            + " line "
                            + number
                            + ": there is no setting "
                            + name
                            + "; `skep config` lists them");
        }
        lines.put(name, new Line(name, unquote(assignment.group(2)), number));
    }

    private static String unquote(String value) {
        Matcher quoted = QUOTED.matcher(value);
        return quoted.matches() ? quoted.group(2) : COMMENT.matcher(value).replaceFirst("");
    }

    /** The file's values, and over them a process's own variables. */
    Map<String, String> over(Map<String, String> environment) {
        Map<String, String> all = new LinkedHashMap<>();
        lines.forEach((name, line) -> all.put(name, line.value()));
        all.putAll(environment);
        return all;
    }

    Path file() {
        return file;
    }

    Map<String, Line> lines() {
        return lines;
    }
}
