package dev.skep.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every line of docs/seeds.md leads to a test that is there, or to a decision that is there. */
class SeedsDocumentTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern SHOWN =
            Pattern.compile("`([a-z-]+): ([A-Z]\\w+)\\.([a-z_0-9A-Z]+)`");
    private static final Pattern DECIDED = Pattern.compile("\\((decisions/[^)]+\\.md)\\)");

    private final Map<Path, List<Path>> classes = new HashMap<>();

    @Test
    void every_test_it_names_is_in_the_sources() throws IOException {
        var missing = new ArrayList<String>();
        for (String row : rows()) {
            SHOWN.matcher(row)
                    .results()
                    .filter(named -> !exists(named.group(1), named.group(2), named.group(3)))
                    .forEach(named -> missing.add(named.group() + " in: " + row));
        }
        assertThat(missing).as("tests named by docs/seeds.md that do not exist").isEmpty();
    }

    @Test
    void every_decision_it_names_is_written() throws IOException {
        for (String row : rows()) {
            DECIDED.matcher(row)
                    .results()
                    .forEach(
                            named ->
                                    assertThat(ROOT.resolve("docs").resolve(named.group(1)))
                                            .as(row)
                                            .exists());
        }
    }

    @Test
    void every_line_is_shown_decided_or_said_to_be_missing() throws IOException {
        assertThat(rows())
                .hasSizeGreaterThan(200)
                .allMatch(
                        row ->
                                SHOWN.matcher(row).find()
                                        || DECIDED.matcher(row).find()
                                        || row.contains("| not yet: "));
    }

    private static List<String> rows() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/seeds.md")).stream()
                .filter(line -> line.startsWith("| "))
                .filter(line -> !line.equals("| line | shown by |"))
                .toList();
    }

    private boolean exists(String module, String type, String method) {
        Path tests = ROOT.resolve(module).resolve("src/test/java");
        Pattern declared = Pattern.compile("\\s" + method + "\\(");
        return sources(tests).stream()
                .filter(file -> file.endsWith(type + ".java"))
                .anyMatch(file -> declared.matcher(text(file)).find());
    }

    private List<Path> sources(Path tests) {
        return classes.computeIfAbsent(
                tests,
                folder -> {
                    try (Stream<Path> files = Files.walk(folder)) {
                        return files.filter(Files::isRegularFile).toList();
                    } catch (IOException e) {
                        throw new UncheckedIOException("no tests of that module", e);
                    }
                });
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
