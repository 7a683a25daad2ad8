package dev.skep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Looks at every page in both themes and on a phone: nothing hidden, nothing inaccessible. */
class EveryPageTest extends InChromium {
    /** Where pictures are wanted; looking is enough otherwise. */
    private static final String SHOTS = System.getProperty("skep.screenshots", "");

    /** Contrast does not depend on the width, and is what takes longest. */
    private static final String CHECKED =
            """
            async contrast => (await axe.run(document, {
                resultTypes: ['violations'],
                rules: {'color-contrast': {enabled: contrast}}
            })).violations.flatMap(v => v.nodes.slice(0, 3).map(
                n => `${v.id}: ${n.target} ${n.html.slice(0, 120)} ${n.any[0]?.message ?? ''}`))
            """;

    @TestFactory
    Stream<DynamicTest> in_both_themes_and_on_a_phone() {
        String axe = axe();
        return Stream.of(
                        new Look(ColorScheme.DARK, Screen.DESKTOP),
                        new Look(ColorScheme.LIGHT, Screen.DESKTOP),
                        new Look(ColorScheme.DARK, Screen.PHONE))
                .flatMap(
                        look -> {
                            Page page = page("admin", look.scheme(), look.screen());
                            return Paths.of(fleet).entrySet().stream()
                                    .map(
                                            entry ->
                                                    DynamicTest.dynamicTest(
                                                            entry.getKey() + " " + look.name(),
                                                            () ->
                                                                    check(
                                                                            page,
                                                                            entry.getKey(),
                                                                            entry.getValue(),
                                                                            look,
                                                                            axe)));
                        });
    }

    private record Look(ColorScheme scheme, Screen screen) {
        String name() {
            return screen == Screen.PHONE ? "phone" : scheme.name().toLowerCase(Locale.ROOT);
        }
    }

    private void check(Page page, String name, String path, Look look, String axe) {
        open(page, path);
        page.waitForFunction("() => !document.querySelector('.skeleton')");
        page.waitForFunction(
                "() => document.querySelector('tbody tr, .line, .mails li, .totals a, .facts, .plot')");
        page.waitForFunction("() => document.fonts.status === 'loaded'");
        if (!SHOTS.isEmpty()) {
            page.waitForTimeout(150);
            SmallPng.write(page.screenshot(), Path.of(SHOTS, name + "-" + look.name() + ".png"));
        }

        assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .as("%s is as wide as the screen", path)
                .isEqualTo(true);
        page.evaluate(axe + "; 0");
        Object found = page.evaluate(CHECKED, look.screen() == Screen.DESKTOP);
        assertThat((List<?>) found).as("accessibility of %s", path).isEmpty();
    }

    private static String axe() {
        try (InputStream in = EveryPageTest.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
