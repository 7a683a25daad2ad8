package dev.skep.browser.real;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.skep.app.Main;
import dev.skep.app.demo.Demo;
import dev.skep.browser.BorrowedBrowser;
import dev.skep.browser.SmallPng;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.testkit.JavaCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The demo shows what it says it shows, and leaves nothing behind. The README's picture is this.
 */
@ResourceLock(OneFleet.LOCK)
@EnabledIf("dev.skep.browser.BorrowedBrowser#isThere")
class DemoTest {
    private static final String SIGN_IN = "sign in once, within the hour: ";

    @Test
    void agents_on_three_hosts_work_together_and_all_is_gone_afterwards() {
        Path folder;
        List<ProcessHandle> processes;
        try (var lifecycle = new Lifecycle();
                BorrowedBrowser browser = BorrowedBrowser.take()) {
            var settings =
                    new Demo.Settings(
                            JavaCommand.of(Main.class),
                            0,
                            Optional.empty(),
                            Map.of("PATH", System.getenv("PATH")));
            var demo = new Demo(lifecycle, settings, _ -> {});
            folder = demo.folder();
            List<ProcessHandle> others = javaChildren();
            List<String> told = demo.open();
            processes = javaChildren();
            processes.removeAll(others);
            assertThat(processes).hasSizeGreaterThanOrEqualTo(4);
            // The usual port for nodes is left to a skep in earnest.
            assertThat(folder.resolve("hub.log")).content().doesNotContain("31415");
            Page page =
                    browser.context(
                                    new Browser.NewContextOptions()
                                            .setViewportSize(1320, 560)
                                            .setColorScheme(ColorScheme.DARK))
                            .newPage();

            String link = link(told);
            page.navigate(link);
            page.locator("nav.main").waitFor();
            showsWhatItTells(page, link.substring(0, link.indexOf("/sign-in")));
        }
        assertThat(folder).doesNotExist();
        assertThat(processes.stream().filter(ProcessHandle::isAlive)).isEmpty();
    }

    private static List<ProcessHandle> javaChildren() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("/java"))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static String link(List<String> told) {
        return told.stream()
                .filter(line -> line.startsWith(SIGN_IN))
                .map(line -> line.substring(SIGN_IN.length()))
                .findFirst()
                .orElseThrow();
    }

    private static void showsWhatItTells(Page page, String url) {
        page.navigate(url + "/mail");
        assertThat(page.locator("main")).containsText("builds so far");
        page.navigate(url + "/servers");
        assertThat(RealChromium.row(page, "attic", "running")).isVisible();
        page.navigate(url + "/nodes");
        assertThat(RealChromium.row(page, "forge-tester")).containsText("active");
        RealChromium.row(page, "forge-tester").locator("a").first().click();
        page.getByLabel("Frame to send").fill("hello there");
        page.getByLabel("Frame to send").press("Enter");
        assertThat(page.locator(".console")).containsText("\"heard\"");
        page.navigate(url + "/jobs");
        assertThat(RealChromium.row(page, "succeeded")).isVisible();
        page.navigate(url + "/costs");
        assertThat(page.locator("main")).containsText(Pattern.compile("ada|rex|ned"));
        page.navigate(url + "/overview");
        assertThat(page.locator("ul.needs")).containsText("mia");
        SmallPng.keep(page.screenshot(), "demo-dark");
    }
}
