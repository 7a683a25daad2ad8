package dev.skep.supervisor.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FilesOfThePagesTest {
    private static final Path WEB = Path.of("src/main/resources/dev/skep/supervisor/web");
    private static final Pattern IMPORT = Pattern.compile("(?:from|import) '([^']+)'");
    private static final Pattern REFERENCE = Pattern.compile("\"/assets/([^\"]+)\"");

    private static List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(WEB)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> WEB.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> !name.equals("files.txt") && !name.equals("index.html"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void the_list_names_every_file_but_the_modules() throws IOException {
        assertThat(Files.readString(WEB.resolve("files.txt")).lines())
                .as("make it anew with: find . -type f ! -name '*.js', sorted")
                .containsExactlyInAnyOrderElementsOf(
                        files().stream().filter(name -> !name.endsWith(".js")).toList());
    }

    @Test
    void every_file_is_served() throws IOException {
        WebBundle bundle = WebBundle.load();
        for (String name : files()) {
            assertThat(bundle.file(name)).as(name).isPresent();
        }
    }

    @Test
    void every_import_leads_to_a_file_that_is_served() throws IOException {
        WebBundle bundle = WebBundle.load();
        for (String name : files()) {
            if (name.endsWith(".js")) {
                IMPORT.matcher(Files.readString(WEB.resolve(name)))
                        .results()
                        .map(match -> resolved(name, match.group(1)))
                        .forEach(
                                target ->
                                        assertThat(bundle.file(target))
                                                .as("%s imports %s", name, target)
                                                .isPresent());
            }
        }
    }

    private static String resolved(String from, String imported) {
        return Path.of("/" + from)
                .resolveSibling(imported)
                .normalize()
                .toString()
                .replace('\\', '/')
                .substring(1);
    }

    @Test
    void the_page_refers_only_to_files_that_are_served() throws IOException {
        WebBundle bundle = WebBundle.load();
        REFERENCE
                .matcher(Files.readString(WEB.resolve("index.html")))
                .results()
                .forEach(match -> assertThat(bundle.file(match.group(1))).isPresent());
        String served = new String(bundle.page().bytes(), StandardCharsets.UTF_8);
        assertThat(served).contains("/assets/" + bundle.version() + "/app.js");
    }

    @Test
    void the_page_loads_every_module_in_one_file() throws IOException {
        WebBundle bundle = WebBundle.load();
        String linked =
                new String(bundle.file("app.js").orElseThrow().bytes(), StandardCharsets.UTF_8);
        for (String name : files()) {
            if (name.endsWith(".js") && !name.equals("core/lit.js")) {
                assertThat(linked).containsOnlyOnce("\n// " + name + "\n");
            }
        }
        assertThat(linked).startsWith("import {").contains(" from './core/lit.js';\n");
    }

    @Test
    void a_module_that_cannot_be_linked_is_named() {
        assertThatThrownBy(
                        () ->
                                ModuleBundler.from(
                                        "main.js", "core/lit.js", _ -> "export default 7;\n"))
                .hasMessage("main.js cannot be linked: export default 7;");
        assertThatThrownBy(
                        () ->
                                ModuleBundler.from(
                                        "main.js",
                                        "core/lit.js",
                                        _ -> "import {a} from './main.js';\n"))
                .hasMessage("modules import each other: [main.js]");
    }

    @Test
    void nothing_is_inline() throws IOException {
        assertThat(Files.readString(WEB.resolve("index.html")))
                .doesNotContainPattern("<script(?![^>]*src=)")
                .doesNotContain("<style", " style=", " onclick=");
        for (String name : files()) {
            if (name.endsWith(".js")) {
                assertThat(Files.readString(WEB.resolve(name)))
                        .as(name)
                        .doesNotContainPattern("[< ]style=\"")
                        .doesNotContain("innerHTML", "eval(");
            }
        }
    }
}
