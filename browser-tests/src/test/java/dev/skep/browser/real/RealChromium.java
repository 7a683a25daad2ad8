package dev.skep.browser.real;

import static org.assertj.core.api.Assertions.fail;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SelectOption;
import dev.skep.browser.BorrowedBrowser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** One browser, signed in at the hub of the fleet, for the tests of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock(OneFleet.LOCK)
@ExtendWith(OneFleet.class)
@EnabledIf("dev.skep.browser.BorrowedBrowser#isThere")
abstract class RealChromium {
    RealFleet fleet;
    private BorrowedBrowser browser;
    private BrowserContext context;
    private Optional<Page> idle = Optional.empty();
    private final List<String> complaints = new ArrayList<>();

    @BeforeAll
    void open(RealFleet shared) {
        fleet = shared;
        browser = BorrowedBrowser.take();
        String cookies = fleet.visitor(this::firstVisit);
        context = browser.context(desktop().setStorageState(cookies));
    }

    /** Signs in and waits until the hosts are there. */
    private BrowserContext firstVisit() {
        BrowserContext first = browser.context(desktop());
        Page hosts = signIn(first.newPage(), fleet.hub);
        hosts.navigate(fleet.hub.url() + "/hosts");
        Stream.of("left", "right", "spare").forEach(name -> row(hosts, name).waitFor());
        hosts.close();
        return first;
    }

    private static Browser.NewContextOptions desktop() {
        return new Browser.NewContextOptions().setViewportSize(1320, 820);
    }

    /** A page of somebody who is not signed in. */
    Page stranger() {
        return browser.context(desktop()).newPage();
    }

    /** By the link that the process printed. */
    private static Page signIn(Page page, SkepProcess process) {
        page.navigate(process.signInLink());
        page.locator("nav.main").waitFor();
        return page;
    }

    /** A page of another process, in the same browser. */
    Page elsewhere(SkepProcess process, String path) {
        Page page = signIn(page(), process);
        page.navigate(process.url() + path);
        page.locator("main h1").waitFor();
        return page;
    }

    @AfterAll
    void close() {
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void closePages() {
        context.pages().stream().skip(1).toList().forEach(Page::close);
        idle = context.pages().stream().findFirst();
        List<String> told = List.copyOf(complaints);
        complaints.clear();
        if (!told.isEmpty()) {
            fail("the page complained: " + told);
        }
    }

    /** The first of a test is that of the test before, wherever that left it. */
    Page page() {
        if (idle.isPresent()) {
            Page left = idle.get();
            idle = Optional.empty();
            return left;
        }
        Page page = context.newPage();
        page.onPageError(complaints::add);
        return page;
    }

    /** A page of the hub. */
    Page open(String path) {
        return open(page(), path);
    }

    Page open(Page page, String path) {
        page.navigate(fleet.hub.url() + path);
        page.locator("main h1").waitFor();
        return page;
    }

    static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    static Locator in(Locator part, String button) {
        return part.getByRole(
                AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button).setExact(true));
    }

    static void fill(Page page, String label, String text) {
        page.locator("dialog").getByLabel(label).fill(text);
    }

    static void choose(Page page, String label, String option) {
        page.locator("dialog").getByLabel(label).selectOption(new SelectOption().setLabel(option));
    }

    static void submit(Page page) {
        page.locator("dialog form .acts button").last().click();
    }

    static Locator row(Page page, String... words) {
        Locator rows = page.locator("tbody tr");
        for (String word : words) {
            rows = rows.filter(new Locator.FilterOptions().setHasText(word));
        }
        return rows.first();
    }

    /** The page of an agent, found as people find it. */
    Page agent(String name, String host) {
        Page page = open("/agents?q=" + name + "@" + host);
        row(page, name).locator("a").first().click();
        page.locator("dl.facts").waitFor();
        return page;
    }
}
