package dev.skep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The pages' pure modules: each of their checks is a test of its own. */
class ModulesWithoutAPageTest extends InChromium {
    @TestFactory
    Stream<DynamicTest> checks() {
        Page page = page();
        open(page, "/overview");
        String assets =
                (String)
                        page.evaluate(
                                "document.querySelector('script[type=module]').src.replace('app.js', '')");
        page.route("**/model/*", ModulesWithoutAPageTest::serve);
        @SuppressWarnings("unchecked")
        List<Map<String, String>> results =
                (List<Map<String, String>>)
                        page.evaluate(
                                """
                                async assets => {
                                    globalThis.ASSETS = assets;
                                    await import('/model/all.js');
                                    return globalThis.RESULTS;
                                }
                                """,
                                assets);
        return results.stream()
                .map(
                        result ->
                                DynamicTest.dynamicTest(
                                        result.getOrDefault("name", ""),
                                        () ->
                                                assertThat(result.getOrDefault("problem", ""))
                                                        .isEmpty()));
    }

    private static void serve(Route route) {
        String name = route.request().url().replaceFirst(".*/", "/model/");
        try (InputStream in = ModulesWithoutAPageTest.class.getResourceAsStream(name)) {
            route.fulfill(
                    new Route.FulfillOptions()
                            .setContentType("text/javascript")
                            .setBodyBytes(Objects.requireNonNull(in, name).readAllBytes()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
