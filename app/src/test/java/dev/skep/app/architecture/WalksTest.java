package dev.skep.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/walks.md names types and methods that exist, in whichever module they live. */
class WalksTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");

    /** A type in backquotes, alone or with a method. */
    private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.([a-z]\\w*))?`");

    private static final Pattern HOP = Pattern.compile("(?m)^\\d+\\. `[A-Z]\\w+\\.[a-z]\\w*`");

    @Test
    void every_type_and_method_of_the_walks_exists() throws IOException {
        Map<String, String> sources = sources();
        assertThat(sources).containsKeys("Main", "SkepException");
        TreeSet<String> missing = new TreeSet<>();
        for (MatchResult named : NAMED.matcher(page()).results().toList()) {
            String source = sources.get(named.group(1));
            String method = named.group(2);
            if (source == null || (method != null && !declares(source, method))) {
                missing.add(named.group());
            }
        }
        assertThat(missing).as("named in docs/walks.md and not in src/main").isEmpty();
    }

    @Test
    void every_numbered_line_begins_with_a_type_and_a_method() throws IOException {
        List<String> numbered = page().lines().filter(line -> line.matches("\\d+\\. .*")).toList();
        assertThat(numbered).hasSizeGreaterThan(30).allMatch(line -> HOP.matcher(line).lookingAt());
    }

    /** A declaration has a type before the name; a call has a dot, a parenthesis or nothing. */
    private static boolean declares(String source, String method) {
        return Pattern.compile(
                        "(?m)^ +(?!return |throw |new |else )[^=;(]*[\\w>\\]] " + method + "\\(")
                .matcher(source)
                .find();
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/walks.md"));
    }

    /** The text of each source file of src/main, by the simple name of its type. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        List<String> modules =
                MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                        .results()
                        .map(found -> found.group(1))
                        .toList();
        for (String module : modules) {
            Path java = ROOT.resolve(module).resolve("src/main/java");
            if (Files.isDirectory(java)) {
                try (Stream<Path> files = Files.walk(java)) {
                    for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                        String name = file.getFileName().toString().replace(".java", "");
                        sources.put(name, Files.readString(file));
                    }
                }
            }
        }
        return sources;
    }
}
