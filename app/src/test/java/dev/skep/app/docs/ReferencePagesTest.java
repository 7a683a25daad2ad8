package dev.skep.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/reference says what the code says. With {@code -Dskep.docs.write=true} the pages are written
 * instead; what is then {@code (not described)} needs a person.
 */
class ReferencePagesTest {
    private static final Path FOLDER = Path.of("..", "docs", "reference");
    private static final boolean WRITE = Boolean.getBoolean("skep.docs.write");
    private static final String MEND =
            "mvn test -pl app -Dtest=ReferencePagesTest -Dskep.docs.write=true";

    @Test
    void the_page_of_commands_is_current() throws IOException {
        check("cli.md", CommandsPage::write);
    }

    @Test
    void the_page_of_settings_is_current() throws IOException {
        check("configuration.md", _ -> SettingsPage.write());
    }

    @Test
    void the_page_of_errors_is_current() throws IOException {
        check("errors.md", ErrorsPage::write);
    }

    @Test
    void the_pages_of_routes_and_figures_are_current(@TempDir Path folder) throws Exception {
        try (var product = new RunningProduct(folder)) {
            product.useEverythingOnce();
            String routes = product.get("/api/openapi.json");
            String figures = product.get("/metrics");
            check("api.md", earlier -> ApiPage.write(earlier, routes));
            check("metrics.md", _ -> MetricsPage.write(figures));
        }
    }

    private static void check(String name, UnaryOperator<String> writer) throws IOException {
        Path file = FOLDER.resolve(name);
        String earlier = Files.exists(file) ? Files.readString(file) : "";
        String current = writer.apply(earlier);
        if (WRITE) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, current);
            return;
        }
        assertThat(earlier)
                .as("docs/reference/%s is not what the code says; run: %s", name, MEND)
                .isEqualTo(current);
        assertThat(current)
                .as("docs/reference/%s lacks words; write them into the page", name)
                .doesNotContain(Markdown.UNWRITTEN);
    }
}
