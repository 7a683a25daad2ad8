package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.skep.agents.Agent;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.SessionKey;
import dev.skep.browser.demo.DemoTurn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** A log that is written while it is read. */
class LiveLogTest extends InChromium {
    private static DemoTurn.Said said(String text) {
        return new DemoTurn.Said(
                LogEntry.Role.USER, LogEntry.Source.SHELL, LogEntry.Type.OUTPUT, text);
    }

    private static List<DemoTurn.Said> many(String word, int count) {
        List<DemoTurn.Said> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(said(word + " " + i));
        }
        return lines;
    }

    @Test
    void new_lines_appear_at_the_end_while_one_is_there() {
        Agent agent = fleet.agents().get(2);
        SessionKey session = fleet.sessionOf(agent);
        Page page = open(page(), Paths.sessionPath(session));
        page.locator(".line").last().waitFor();

        fleet.say(agent, session, List.of(said("fresh line")));

        assertThat(page.locator(".line").last()).containsText("fresh line");
    }

    @Test
    void scrolling_up_loads_what_was_before_and_stays_there() {
        Agent agent = fleet.agents().get(6);
        SessionKey session = fleet.sessionOf(agent);
        fleet.say(agent, session, many("old", 2_000));
        Page page = page();
        keepingFewLines(page);
        open(page, Paths.sessionPath(session));
        assertThat(page.locator(".line").last()).containsText("old 1999");

        // Each time the top is reached, older lines are put above it, until there are none.
        page.waitForFunction(
                """
                () => {
                    document.querySelector('.log').scrollTop = 0;
                    return document.querySelector('.line .text').textContent.startsWith('turn 1 ');
                }
                """,
                null,
                new Page.WaitForFunctionOptions().setPollingInterval(100));
        fleet.say(agent, session, List.of(said("while reading")));
        assertThat(page.locator(".to-end")).isVisible();

        page.locator(".to-end").click();
        assertThat(page.locator(".line").last()).containsText("while reading");
    }

    @Test
    void a_search_without_hits_leaves_the_log_as_it_was() {
        Page page = open(page(), "/logs");
        page.locator(".line").last().waitFor();
        Locator last = page.locator(".line").last();
        assertThat(last).isInViewport();

        page.getByLabel("Only lines with this text").fill("nobody ever wrote this");
        assertThat(page.locator(".empty")).containsText("No line matches.");
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Clear the filter"))
                .click();
        assertThat(last).isInViewport();
        // Not only drawn at its end: what is in sight is full of lines.
        assertThat(page.locator(".line:nth-last-child(5)")).isInViewport();
    }

    /** As if the log were longer than a page keeps, without writing tens of thousands of lines. */
    private static void keepingFewLines(Page page) {
        page.route(
                "**/app.js",
                route -> {
                    APIResponse served = route.fetch();
                    String text = served.text();
                    String smaller = text.replace("MOST_LINES = 20_000", "MOST_LINES = 1_000");
                    Assertions.assertThat(smaller).isNotEqualTo(text);
                    route.fulfill(new Route.FulfillOptions().setResponse(served).setBody(smaller));
                });
    }

    @Test
    void a_line_has_an_address() {
        Agent agent = fleet.agents().get(4);
        Page page = open(page(), Paths.sessionPath(fleet.sessionOf(agent)));
        page.locator(".line .at").last().click();
        String line = page.locator(".line.linked").innerText();

        Page other = open(page(), page.url().replace(fleet.url(), ""));
        assertThat(other.locator(".line.linked"))
                .hasText(line, new LocatorAssertions.HasTextOptions().setUseInnerText(true));
    }

    @Test
    void ten_thousand_lines_a_minute_are_counted_while_paused_and_shown_after()
            throws InterruptedException {
        Agent agent = fleet.agents().get(8);
        SessionKey session = fleet.sessionOf(agent);
        Page page = open(page(), Paths.sessionPath(session));
        page.locator(".line").last().waitFor();
        page.locator(".log").press("Space");
        assertThat(page.locator(".rate")).containsText("Paused");

        long perTick = 10_000 / 60 / 10;
        CountDownLatch ticks = new CountDownLatch(20);
        try (ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor()) {
            Future<?> writing =
                    writer.scheduleAtFixedRate(
                            () -> {
                                if (ticks.getCount() > 0) {
                                    fleet.say(agent, session, many("fast", (int) perTick));
                                    ticks.countDown();
                                }
                            },
                            0,
                            100,
                            TimeUnit.MILLISECONDS);
            assertThat(page.locator(".rate")).containsText("Paused, 320 changes waiting");
            assertThat(page.locator(".line").last()).not().containsText("fast");
            ticks.await();
            writing.cancel(false);
        }

        page.locator(".log").press("Space");
        assertThat(page.locator(".line").last()).containsText("fast");
        assertThat(page.locator(".rate")).containsText("Live");
    }

    @Test
    void text_is_found_and_counted_and_long_lines_are_wrapped() {
        Agent agent = fleet.agents().get(5);
        SessionKey session = fleet.sessionOf(agent);
        fleet.say(agent, session, List.of(said("a needle in it\nand a thread\nand a knot")));
        Page page = open(page(), Paths.sessionPath(session));
        Locator last = page.locator(".line").last();
        assertThat(last).containsText("+2 lines");
        page.keyboard().press("/");
        page.keyboard().type("needle");
        assertThat(page.locator(".bar")).containsText("1 match");
        assertThat(page.locator("mark").first()).hasText("needle");

        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Wrap")).click();
        assertThat(last).containsText("and a knot");
        assertThat(last).hasCSS("height", "60px");
        assertThat(page).hasURL(Pattern.compile(".*find=needle&wrap=1$"));
        // As a key it works where nobody types.
        page.keyboard().press("w");
        assertThat(last).containsText("+2 lines");
    }
}
