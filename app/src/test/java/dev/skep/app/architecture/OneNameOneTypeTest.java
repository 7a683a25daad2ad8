package dev.skep.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A reader who meets a type's simple name knows which type it is: no other package or module has
 * one of that name.
 */
class OneNameOneTypeTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");

    /** The formatter puts the declaration of a top-level type, and nothing else, at column 0. */
    private static final Pattern TOP_LEVEL =
            Pattern.compile(
                    "^(?:(?:public|abstract|final|sealed|non-sealed|strictfp) )*"
                            + "(?:class|record|interface|@interface|enum) (\\w+)",
                    Pattern.MULTILINE);

    @Test
    void no_two_top_level_types_share_a_simple_name() throws IOException {
        Map<String, TreeSet<String>> places = new TreeMap<>();
        for (Path source : sources()) {
            TOP_LEVEL
                    .matcher(Files.readString(source))
                    .results()
                    .forEach(
                            found ->
                                    places.computeIfAbsent(found.group(1), _ -> new TreeSet<>())
                                            .add(ROOT.relativize(source).toString()));
        }

        assertThat(places).containsKeys("Main", "SkepException");
        assertThat(
                        places.entrySet().stream()
                                .filter(name -> name.getValue().size() > 1)
                                .map(name -> name.getKey() + " in " + name.getValue()))
                .as("simple names of more than one top-level type; rename all but one")
                .isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<String> modules =
                MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                        .results()
                        .map(found -> found.group(1))
                        .toList();
        Stream.Builder<Path> found = Stream.builder();
        for (String module : modules) {
            Path java = ROOT.resolve(module).resolve("src/main/java");
            if (Files.isDirectory(java)) {
                try (Stream<Path> files = Files.walk(java)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(found);
                }
            }
        }
        return found.build().collect(Collectors.toList());
    }
}
