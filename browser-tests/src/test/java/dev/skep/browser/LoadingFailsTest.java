package dev.skep.browser;

import com.microsoft.playwright.Page;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A server that cannot answer is told apart from one that has nothing. */
class LoadingFailsTest extends InChromium {
    /** They show what the person asks for by other routes than those of views. */
    private static final Set<String> WITHOUT_VIEWS = Set.of("me", "notifications");

    @TestFactory
    Stream<DynamicTest> a_page_that_cannot_be_loaded_says_so_and_can_be_tried_again() {
        Page page = open(page(), "/nowhere");
        return Paths.of(fleet).entrySet().stream()
                .filter(entry -> !WITHOUT_VIEWS.contains(entry.getKey()))
                .map(
                        entry ->
                                DynamicTest.dynamicTest(
                                        entry.getKey(),
                                        () -> failsAndHeals(page, entry.getValue())));
    }

    private static void failsAndHeals(Page page, String path) {
        page.route("**/view/**", route -> RefusedTest.refuse(route, 503));
        go(page, path);
        page.locator(".banner, .empty[role=alert]").first().waitFor();
        page.unroute("**/view/**");
        // It may heal by itself between two looks.
        page.waitForFunction(
                """
                () => {
                    document.querySelector('.banner button, .empty[role=alert] button')?.click();
                    return !document.querySelector('.banner, .empty[role=alert]');
                }
                """,
                null,
                new Page.WaitForFunctionOptions().setPollingInterval(100));
        page.locator("tbody tr, .line, .mails li, .totals a, .facts, .plot, .newagent, .waits")
                .first()
                .waitFor();
    }
}
