package dev.skep.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A running browser that one test class uses at a time: starting a driver and a Chromium takes
 * seconds, so classes hand them on. All tests wait for what they expect as long as this says.
 */
public final class BorrowedBrowser implements AutoCloseable {
    /** What takes a second may take ten where other builds run on the same two cores. */
    private static final int PATIENCE_MILLIS = 30_000;

    private static final ConcurrentLinkedDeque<Started> IDLE = new ConcurrentLinkedDeque<>();

    static {
        // One value for the whole process: no class may change it while another runs.
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> IDLE.forEach(started -> started.playwright().close())));
    }

    private record Started(Playwright playwright, Browser browser) {}

    private final Started started;

    private BorrowedBrowser(Started started) {
        this.started = started;
    }

    public static boolean isThere() {
        return Chromium.find().isPresent();
    }

    public static BorrowedBrowser take() {
        Started idle = IDLE.pollFirst();
        return new BorrowedBrowser(idle == null ? start() : idle);
    }

    private static Started start() {
        Playwright playwright = Chromium.playwright();
        return new Started(playwright, Chromium.launch(playwright, Chromium.find().orElseThrow()));
    }

    /** A profile of its own: cookies, cache and storage are shared with no other. */
    public BrowserContext context(Browser.NewContextOptions options) {
        BrowserContext context = started.browser().newContext(options);
        context.setDefaultTimeout(PATIENCE_MILLIS);
        return context;
    }

    @Override
    public void close() {
        started.browser().contexts().forEach(BrowserContext::close);
        IDLE.addFirst(started);
    }
}
