package dev.skep.browser;

import static org.junit.jupiter.api.Assertions.fail;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.ReducedMotion;
import dev.skep.browser.demo.DemoFleet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * One browser and one made-up fleet for the tests of a class. What a page complains about is a
 * failure, wherever it happens.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf("dev.skep.browser.InChromium#isThere")
abstract class InChromium {
    static final Instant START = Instant.parse("2026-11-15T14:00:00Z");

    Playwright playwright;
    Browser browser;
    DemoFleet fleet;
    private final List<BrowserContext> contexts = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    static boolean isThere() {
        return Chromium.find().isPresent();
    }

    /** Goes on from a fixed instant, so that pages look the same each time. */
    static InstantSource clock() {
        long begun = System.nanoTime();
        return () -> START.plus(Duration.ofNanos(System.nanoTime() - begun));
    }

    DemoFleet.Size size() {
        return DemoFleet.Size.USUAL;
    }

    @BeforeAll
    void open(@TempDir Path folder) {
        fleet = new DemoFleet(folder, size(), clock());
        playwright = Chromium.playwright();
        browser = Chromium.launch(playwright, Chromium.find().orElseThrow());
    }

    @AfterAll
    void close() {
        if (playwright != null) {
            playwright.close();
        }
        if (fleet != null) {
            fleet.close();
        }
    }

    @AfterEach
    void closePages() {
        contexts.forEach(BrowserContext::close);
        contexts.clear();
        List<String> told = List.copyOf(complaints);
        complaints.clear();
        if (!told.isEmpty()) {
            fail("the page complained: " + told);
        }
    }

    /** How a page is looked at. */
    enum Screen {
        DESKTOP(1320, 820),
        PHONE(390, 844);

        final int width;
        final int height;

        Screen(int width, int height) {
            this.width = width;
            this.height = height;
        }
    }

    Page page(String role, ColorScheme scheme, Screen screen) {
        BrowserContext context =
                browser.newContext(
                        new Browser.NewContextOptions()
                                .setViewportSize(screen.width, screen.height)
                                .setColorScheme(scheme)
                                .setReducedMotion(ReducedMotion.REDUCE));
        contexts.add(context);
        if (!role.isEmpty()) {
            context.addCookies(List.of(new Cookie("skep_session", role).setUrl(fleet.url())));
        }
        Page page = context.newPage();
        page.setDefaultTimeout(15_000);
        page.onPageError(complaints::add);
        page.onConsoleMessage(
                message -> {
                    if (message.type().equals("error") && !isAnswer(message.text())) {
                        complaints.add(message.text());
                    }
                });
        return page;
    }

    /** Chromium logs every refused request; pages show those themselves. */
    private static boolean isAnswer(String text) {
        return text.startsWith("Failed to load resource");
    }

    Page page() {
        return page("admin", ColorScheme.DARK, Screen.DESKTOP);
    }

    /** A page of the app, once its content is there. */
    Page open(Page page, String path) {
        page.navigate(fleet.url() + path);
        page.locator("main h1").waitFor();
        return page;
    }
}
