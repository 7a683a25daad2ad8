package dev.skep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Looks at every page in both themes and on a phone: nothing hidden, nothing inaccessible. A page
 * is loaded once and then seen in all three ways.
 */
@Order(2)
class EveryPageTest extends InChromium {
    /** The twentieth row is drawn like the twelfth, and contrast is measured for each. */
    private static final String CHECKED =
            """
            async runOnly => (await axe.run({exclude: [
                ['tbody tr:nth-child(n+13)'], ['.line:nth-child(n+17)'], ['.mails li:nth-child(n+10)']
            ]}, {
                resultTypes: ['violations'], preload: false,
                ...(runOnly.length ? {runOnly} : {})
            })).violations.flatMap(v => v.nodes.slice(0, 3).map(
                n => `${v.id}: ${n.target} ${n.html.slice(0, 120)} ${n.any[0]?.message ?? ''}`))
            """;

    private static final List<String> LISTS =
            List.of(
                    "/hosts",
                    "/agents",
                    "/sessions",
                    "/nodes",
                    "/jobs",
                    "/servers",
                    "/sync",
                    "/alerts",
                    "/audit",
                    "/settings",
                    "/costs");

    /** Columns with less room than a word, and tables that are wider than the page. */
    private static final String SQUEEZED =
            """
            () => [...document.querySelectorAll('table.list')].flatMap(table => [
                ...[...table.querySelectorAll('th')].filter(th => th.clientWidth < 60 && !th.querySelector('input')).map(th => th.textContent),
                ...(table.clientWidth > table.parentElement.clientWidth ? [table.ariaLabel] : [])])
            """;

    /** Nothing where the page fits; else what reaches beyond the screen. */
    private static final String TOO_WIDE =
            """
            () => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
                .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
                .map(each => `${each.tagName.toLowerCase()}.${each.className}`)
            """;

    private static final String NEXT_FRAME =
            "() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))";

    @TestFactory
    Stream<DynamicTest> in_both_themes_and_on_a_phone() {
        Page page = open(page(), "/nowhere");
        page.evaluate(axe() + "; 0");
        return Paths.of(fleet).entrySet().stream()
                .map(
                        entry ->
                                DynamicTest.dynamicTest(
                                        entry.getKey(),
                                        () -> check(page, entry.getKey(), entry.getValue())));
    }

    @TestFactory
    Stream<DynamicTest> what_opens_over_a_page() {
        Page page = page();
        page.navigate(fleet.url() + "/jobs");
        page.locator("tbody tr").first().waitFor();
        page.evaluate(axe() + "; 0");
        return Stream.of(
                over("dialog", page, "New job"),
                over("palette", page, "Control+k"),
                over("shortcuts", page, "?"));
    }

    private static DynamicTest over(String name, Page page, String opener) {
        return DynamicTest.dynamicTest(
                name,
                () -> {
                    look(page, ColorScheme.DARK, Screen.DESKTOP);
                    if (name.equals("dialog")) {
                        page.getByText(opener).click();
                    } else {
                        page.keyboard().press(opener);
                    }
                    page.locator("dialog").waitFor();
                    inEveryLook(page, name);
                    page.keyboard().press("Escape");
                    page.locator("dialog")
                            .waitFor(
                                    new Locator.WaitForOptions()
                                            .setState(WaitForSelectorState.DETACHED));
                });
    }

    /** A window beside another: columns give way, and none is squeezed to nothing. */
    @ParameterizedTest
    @ValueSource(ints = {760, 900, 1100})
    void a_list_in_a_part_of_the_screen_still_says_what_its_rows_are(int width) {
        Page page = page();
        page.setViewportSize(width, 800);
        for (String list : LISTS) {
            open(page, list);
            page.locator("tbody tr").first().waitFor();
            assertThat(page.evaluate(SQUEEZED)).as(list).isEqualTo(List.of());
        }
    }

    @Test
    void the_chart_keeps_its_place_on_a_wide_screen() {
        Page page = open(page(), "/costs");
        page.setViewportSize(2560, 1200);
        Locator chart = page.locator(".plot svg");
        chart.waitFor();
        assertThat(bottom(chart)).isLessThan(top(page.locator(".ticks")));
        assertThat(bottom(page.locator("figure.chart")))
                .isLessThan(top(page.locator("table[aria-label='Costs by agent']")));
    }

    private static double top(Locator of) {
        return of.boundingBox().y;
    }

    private static double bottom(Locator of) {
        return of.boundingBox().y + of.boundingBox().height;
    }

    @Test
    void the_sign_in_page() {
        Page page = stranger(ColorScheme.DARK);
        page.navigate(fleet.url() + "/sign-in");
        page.locator("form button.primary").waitFor();
        page.evaluate(axe() + "; 0");
        inEveryLook(page, "sign-in");
    }

    private static void check(Page page, String name, String path) {
        look(page, ColorScheme.DARK, Screen.DESKTOP);
        go(page, path);
        page.waitForFunction(
                """
                () => !document.querySelector('.skeleton') && document.fonts.status === 'loaded'
                    && document.querySelector('tbody tr, .line, .mails li, .totals a, .facts, .plot, .newagent, .waits')
                """);
        inEveryLook(page, name);
    }

    private static void inEveryLook(Page page, String name) {
        isFine(page, name + "-dark", List.of());

        // Only colours differ.
        look(page, ColorScheme.LIGHT, Screen.DESKTOP);
        isFine(page, name + "-light", List.of("color-contrast"));

        look(page, ColorScheme.DARK, Screen.PHONE);
        isFine(page, name + "-phone", List.of());
    }

    private static void look(Page page, ColorScheme scheme, Screen screen) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        page.setViewportSize(screen.width, screen.height);
        page.evaluate(NEXT_FRAME);
    }

    private static void isFine(Page page, String look, List<String> rules) {
        if (SmallPng.areWanted()) {
            page.waitForTimeout(150);
            SmallPng.keep(page.screenshot(), look);
        }
        assertThat((List<?>) page.evaluate(TOO_WIDE))
                .as("what makes %s wider than the screen", look)
                .isEmpty();
        assertThat((List<?>) page.evaluate(CHECKED, rules))
                .as("accessibility of %s", look)
                .isEmpty();
    }

    private static String axe() {
        try (InputStream in = EveryPageTest.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
