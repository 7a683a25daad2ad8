package dev.skep.browser.real;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.skep.browser.BorrowedBrowser;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A browser tells its person what they chose, a click opens exactly that card, and what an agent
 * writes to them is answered from the page.
 */
@ResourceLock(OneFleet.LOCK)
@EnabledIf("dev.skep.browser.BorrowedBrowser#isThere")
class BeingToldTest {
    /** The browser's own notifications, with a list of them beside it. */
    private static final String KEEPING =
            """
            window.told = [];
            const Real = window.Notification;
            window.Notification = class extends Real {
              constructor(title, options) {
                super(title, options);
                window.told.push({title, body: options.body, click: () => this.onclick()});
              }
            };""";

    @TempDir Path folder;

    @Test
    void an_approval_is_told_by_the_browser_and_decided_on_its_card_alone() throws IOException {
        agents();
        try (var skep =
                        new SkepProcess(
                                Map.of(),
                                "up",
                                "--hostname",
                                "box",
                                "--data-dir",
                                folder.toString(),
                                "--listen",
                                "127.0.0.1:0",
                                "--registry-port",
                                "none");
                BorrowedBrowser browser = BorrowedBrowser.take()) {
            BrowserContext context = browser.context(new Browser.NewContextOptions());
            context.grantPermissions(List.of("notifications"));
            context.addInitScript(KEEPING);
            Page page = context.newPage();
            page.navigate(skep.signInLink());
            page.locator("nav.main").waitFor();
            page.navigate(skep.url() + "/settings/notifications");
            Locator approvals = toggle(page, "An approval waits: this browser");
            assertThat(approvals).hasAttribute("aria-checked", "false");
            approvals.click();
            assertThat(approvals).hasAttribute("aria-checked", "true");
            toggle(page, "Mail for me: this browser").click();
            page.getByRole(
                            AriaRole.BUTTON,
                            new Page.GetByRoleOptions().setName("Test").setExact(true))
                    .click();
            assertThat(page.locator(".said")).containsText("It was shown");

            // Another page is in front of it.
            Page other = context.newPage();
            other.navigate("about:blank");
            other.bringToFront();
            write(page, "hana", "Please ship it");
            page.waitForFunction("() => told.some(n => n.body.includes('echo shipped'))");
            assertThat(said(page, "echo shipped")).isEqualTo("An approval waits");
            page.evaluate("() => told.find(n => n.body.includes('echo shipped')).click()");
            page.waitForURL("**/approvals/*");
            String card = URI.create(page.url()).getPath();
            assertThat(page.locator("ul.waits")).containsText("echo shipped");
            assertThat(page.locator("ul.waits > li")).hasCount(1);

            // A link alone decides nothing; whoever has no session signs in first and arrives
            // there.
            Page stranger = browser.context(new Browser.NewContextOptions()).newPage();
            stranger.navigate(skep.url() + card);
            stranger.waitForURL("**/sign-in?to=**");
            assertThat(URI.create(stranger.url()).getQuery()).isEqualTo("to=" + card);
            page.reload();
            assertThat(page.locator("ul.waits .decided")).hasCount(0);

            page.getByRole(
                            AriaRole.BUTTON,
                            new Page.GetByRoleOptions().setName("Approve once").setExact(true))
                    .click();
            assertThat(page.locator("ul.waits .decided")).containsText("approved by");
            mailIsToldReadAndAnswered(page);
        }
    }

    private static void mailIsToldReadAndAnswered(Page page) {
        page.waitForFunction("() => told.some(n => n.body.includes('It is shipped'))");
        assertThat(said(page, "It is shipped")).isEqualTo("Mail for me");
        page.evaluate("() => told.find(n => n.body.includes('It is shipped')).click()");
        page.waitForURL("**/mail?id=*");
        assertThat(page.locator("article.letter")).containsText("May I go home?");
        assertThat(page.locator("article.letter .plain")).not().containsText("not read");
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName("Answer").setExact(true))
                .click();
        page.locator("dialog").getByLabel("Text").fill("Go.");
        page.locator("dialog form .acts button").last().click();
        page.locator("nav.main a[href='/mail']").click();
        assertThat(page.locator("ul.mails")).containsText("Re: It is shipped");
        page.locator("ul.mails a", new Page.LocatorOptions().setHasText("Re: It is shipped"))
                .first()
                .click();
        // The agent has it, and read it on its host.
        assertThat(page.locator("article.letter .plain")).containsText("hana");
    }

    private static String said(Page page, String body) {
        return Objects.toString(
                page.evaluate("() => told.find(n => n.body.includes('" + body + "')).title"));
    }

    private static Locator toggle(Page page, String name) {
        return page.getByRole(
                AriaRole.SWITCH, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** As the page does, without leaving it. */
    private static void write(Page page, String agent, String text) {
        page.evaluate(
                """
                async ([to, body]) => {
                  const about = await (await fetch('/api/supervisor')).json();
                  await fetch(`/api/orgs/${about.org}/mail`, {method: 'POST',
                    headers: {'Content-Type': 'application/json'},
                    body: JSON.stringify({to, subject: 'The release', body})});
                }""",
                List.of(agent, text));
    }

    private void agents() throws IOException {
        Path agents = Files.createDirectories(folder.resolve("agents"));
        for (String file : new String[] {"hana.yaml", "hana.script.yaml"}) {
            try (var in = BeingToldTest.class.getResourceAsStream("/agents/" + file)) {
                Files.copy(Objects.requireNonNull(in), agents.resolve(file));
            }
        }
    }
}
