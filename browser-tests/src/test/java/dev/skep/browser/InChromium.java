package dev.skep.browser;

import static org.junit.jupiter.api.Assertions.fail;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.ReducedMotion;
import dev.skep.browser.demo.DemoFleet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A made-up fleet: the usual one, which classes share, or one of another size for the tests of a
 * class. What a page complains about is a failure, wherever it happens.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf("dev.skep.browser.BorrowedBrowser#isThere")
abstract class InChromium {
    static final Instant START = Instant.parse("2026-11-15T14:00:00Z");

    DemoFleet fleet;
    private boolean isShared;
    private BorrowedBrowser browser;
    private final Map<Visitor, BrowserContext> contexts = new HashMap<>();
    private final Map<Visitor, Page> idle = new HashMap<>();
    private final List<String> complaints = new ArrayList<>();

    /** Who looks, and through what. */
    private record Visitor(String role, ColorScheme scheme, Screen screen) {}

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
        browser = BorrowedBrowser.take();
        isShared = size().equals(DemoFleet.Size.USUAL);
        fleet = isShared ? UsualFleet.get() : new DemoFleet(folder, size(), clock());
    }

    @AfterAll
    void close() {
        if (browser != null) {
            browser.close();
        }
        if (fleet != null && !isShared) {
            fleet.close();
        }
    }

    @AfterEach
    void closePages() {
        contexts.forEach((visitor, context) -> idle.put(visitor, oneOf(context)));
        List<String> told = List.copyOf(complaints);
        complaints.clear();
        if (!told.isEmpty()) {
            fail("the page complained: " + told);
        }
    }

    /** The first page, without what a test did to it; others are closed. */
    static Page oneOf(BrowserContext context) {
        Page first = context.pages().getFirst();
        context.pages().stream().skip(1).toList().forEach(Page::close);
        first.unrouteAll();
        return first;
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

    /**
     * A page of somebody signed in. The first is that of the test before, wherever that left it: a
     * browser takes longer to make a tab than most tests take.
     */
    Page page(String role, ColorScheme scheme, Screen screen) {
        var visitor = new Visitor(role, scheme, screen);
        Page left = idle.remove(visitor);
        return left == null ? watched(contexts.computeIfAbsent(visitor, this::signedIn)) : left;
    }

    /** A page of somebody who was never here. */
    Page stranger(ColorScheme scheme) {
        return watched(context(scheme, Screen.DESKTOP));
    }

    private BrowserContext signedIn(Visitor visitor) {
        BrowserContext context = context(visitor.scheme(), visitor.screen());
        context.addCookies(
                List.of(new Cookie(fleet.sessionCookie(), visitor.role()).setUrl(fleet.url())));
        return context;
    }

    private BrowserContext context(ColorScheme scheme, Screen screen) {
        return browser.context(
                new Browser.NewContextOptions()
                        .setViewportSize(screen.width, screen.height)
                        .setColorScheme(scheme)
                        .setReducedMotion(ReducedMotion.REDUCE));
    }

    private Page watched(BrowserContext context) {
        Page page = context.newPage();
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

    /** Leads a page that shows the app to another; what is seen afterwards is of that one. */
    static void go(Page page, String path) {
        page.evaluate(
                """
                path => {
                    dispatchEvent(new CustomEvent('skep:go', {detail: path}));
                    return new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)));
                }
                """,
                path);
        page.locator("main h1").waitFor();
    }

    /** A page of the app, once its content is there. */
    Page open(Page page, String path) {
        page.navigate(fleet.url() + path);
        page.locator("main h1").waitFor();
        return page;
    }
}
