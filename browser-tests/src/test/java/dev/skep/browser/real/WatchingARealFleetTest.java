package dev.skep.browser.real;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people see of mail that travels, of logs that run, of each other. */
@Order(3)
class WatchingARealFleetTest extends RealChromium {
    private static final Pattern DONE = Pattern.compile("^\\s*Done\\s*$");

    /** How often a line does not count on from the one before it, among those in sight. */
    private static final String GAPS =
            """
            () => [...document.querySelectorAll('.line.output .text')]
                .flatMap(text => text.textContent.match(/(?<=tick )\\d+/) ?? []).map(Number)
                .filter((tick, i, all) => i > 0 && tick !== all[i - 1] + 1).length
            """;

    private static final String LIVE = "Live, ([\\d,]+) changes/s";
    private static final String PAUSED = "Paused, ([\\d,]+) changes? waiting";

    private final Map<String, SkepProcess> alone = new HashMap<>();

    @Test
    void mail_from_one_host_appears_on_the_page_of_the_other() {
        Page there = elsewhere(fleet.right(), "/mail");

        Page here = agent("ada", "left");
        say(here, "Please greet ben.");

        there.locator(".mails li", new Page.LocatorOptions().setHasText("Greetings from the left"))
                .first()
                .click();
        assertThat(there.locator("main")).containsText("How are you over there?");

        // What the host wrote meanwhile has reached the hub; nothing is under way.
        there.locator("nav.main a[href='/sync']").click();
        Locator hub = row(there, fleet.hub.url()).locator("td");
        assertThat(hub.nth(0)).hasText("connected");
        assertThat(hub.nth(2)).hasText("0");
        assertThat(hub.nth(3)).hasText("0 s");
        assertThat(hub.nth(4)).hasText("0");
    }

    static void say(Page page, String text) {
        button(page, "Talk").click();
        page.getByLabel("Message").fill(text);
        button(page, "Say it").click();
        // It is shown for seconds only, so it is looked for at short intervals.
        page.locator("header .acts .note", new Page.LocatorOptions().setHasText(DONE)).waitFor();
    }

    @Test
    void a_node_of_another_host_answers_in_its_console() throws IOException {
        try (var _ = new EchoNode(fleet.left().url(), RealFleet.NODE_TOKEN, "left", "shop")) {
            Page page = open("/nodes");
            assertThat(row(page, "shop")).containsText("active");
            row(page, "shop").locator("a").first().click();
            page.getByLabel("Frame to send").fill("hello");
            button(page, "Send").click();
            assertThat(page.locator(".console")).containsText("heard: hello");
            // Its messages are told once a minute, and the page does not pretend otherwise.
            assertThat(page.locator("dl.facts")).containsText("Counted");
        }
    }

    @Test
    void a_node_that_is_gone_is_removed_from_its_page_and_one_that_is_here_is_not()
            throws IOException {
        Page page;
        try (var _ = new EchoNode(fleet.left().url(), RealFleet.NODE_TOKEN, "left", "stall")) {
            page = open("/nodes");
            row(page, "stall").locator("a").first().click();
            assertThat(page.locator("dl.facts")).containsText("active");
            assertThat(button(page, "Remove")).hasCount(0);
        }
        button(page, "Remove").click();
        assertThat(page.locator("dialog")).containsText("It is forgotten with its history");
        page.locator("dialog input[name=confirm]").fill("stall");
        submit(page);
        page.locator("header .acts .note", new Page.LocatorOptions().setHasText(DONE)).waitFor();
        assertThat(page.locator("main")).containsText("This node was removed.");
        assertThat(button(page, "Remove")).hasCount(0);
        open(page, "/nodes");
        assertThat(page.locator("tbody tr", new Page.LocatorOptions().setHasText("stall")))
                .hasCount(0);
    }

    /** They start while other tests run. */
    @BeforeAll
    void startSupervisorsAlone() {
        Stream.of("hub", "runner").forEach(each -> alone.put(each, fleet.supervisorOf(each)));
    }

    @AfterAll
    void closeSupervisorsAlone() {
        alone.values().forEach(SkepProcess::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hub", "runner"})
    void a_supervisor_alone_shows_a_running_process_and_offers_nothing_to_do(String monitored) {
        Page page = elsewhere(Objects.requireNonNull(alone.get(monitored)), "/agents?q=ada");
        assertThat(row(page, "ada")).containsText("left");
        assertThat(page.locator(".rate")).containsText("Live");
        assertThat(page.locator("td.acts button")).hasCount(0);
        row(page, "ada").locator("a").first().click();
        page.locator("dl.facts").waitFor();
        assertThat(page.locator("header .acts button")).hasCount(0);
        if (monitored.equals("hub")) {
            page.navigate(Objects.requireNonNull(alone.get("hub")).url() + "/agents?q=ben@right");
            hears(page);
            knowsNoLink(page);
        }
    }

    /** Another process writes, and nobody tells this one but the file. */
    private void hears(Page there) {
        assertThat(row(there, "ben")).containsText("waiting");
        Page here = agent("ben", "right");
        button(here, "Pause agent").click();
        assertThat(row(there, "ben")).containsText("paused");
        button(here, "Resume agent").click();
        assertThat(row(there, "ben")).containsText("waiting");
    }

    /** What the hub wrote down is there, and nothing that only the hub knows. */
    private static void knowsNoLink(Page page) {
        page.locator("nav.main a[href='/sync']").click();
        Locator link = row(page, "left").locator("td");
        assertThat(link.nth(0)).hasText("unknown from here");
        assertThat(link.nth(2)).hasText("0");
        assertThat(link.nth(4)).hasText("–");
    }

    @Test
    void signing_in_at_another_process_signs_nobody_out_here() {
        Page here = open("/hosts");
        elsewhere(fleet.left(), "/agents");
        here.reload();
        assertThat(row(here, "right")).isVisible();
    }

    @Test
    void what_one_tab_does_the_other_shows() {
        Page list = open("/agents?q=ben@right");
        assertThat(row(list, "ben")).containsText("waiting");

        Page one = agent("ben", "right");
        button(one, "Pause agent").click();
        assertThat(row(list, "ben")).containsText("paused");

        button(one, "Resume agent").click();
        assertThat(row(list, "ben")).containsText("waiting");
    }

    @Test
    void back_leads_to_the_same_filter_and_an_address_to_the_same_page() {
        Page page = open("/agents");
        page.getByRole(AriaRole.SEARCHBOX).fill("dan");
        assertThat(page).hasURL(Pattern.compile(".*q=dan.*"));
        row(page, "dan", "right").locator("a").first().click();
        assertThat(page.locator("h1")).containsText("dan");

        Page colleague = page();
        colleague.navigate(page.url());
        assertThat(colleague.locator("h1")).containsText("dan@right");

        page.goBack();
        assertThat(page).hasURL(Pattern.compile(".*q=dan.*"));
        assertThat(page.locator("tbody tr")).hasCount(1);
    }

    @Test
    void a_hub_and_a_host_of_one_machine_are_told_apart_where_a_host_is_chosen() {
        Locator offered = open("/agents").getByLabel("Filter by host").locator("option");
        assertThat(offered.filter(new Locator.FilterOptions().setHasText("(hub)"))).hasCount(1);
    }

    @Test
    void a_hub_is_listed_with_the_hosts_and_not_counted_as_one() {
        Page page = open("/overview");
        Locator total = page.locator(".totals a[href='/hosts']");
        assertThat(total.locator("b")).hasText("3");
        total.click();
        Locator tallies = page.locator(".tally button");
        assertThat(tallies.filter(new Locator.FilterOptions().setHasText("hub"))).hasText("1 hub");
        assertThat(page.locator("tbody tr")).hasCount(4);
    }

    @Test
    void every_page_of_the_navigation_shows_what_the_hub_has() {
        Page page = open("/overview");
        Locator links = page.locator("nav.main a:not(.brand)");
        assertThat(links).hasCount(16);
        for (int i = 0; i < 16; i++) {
            links.nth(i).click();
            assertThat(links.nth(i)).hasAttribute("aria-current", "page");
            page.locator("tbody tr, .line, .mails li, .totals a, .plot, .empty, .part")
                    .first()
                    .waitFor();
            assertThat(page.locator("[role=alert]")).hasCount(0);
        }
    }

    @Test
    void ten_thousand_lines_a_minute_of_a_host_are_watched_paused_counted_and_caught_up() {
        Page page = agent("tick", "left");
        say(page, "begin");
        page.locator("a:has-text('live log')").click();
        awaitFigure(page, LIVE, 10_000 / 60 + 1);

        page.locator(".log").press("Space");
        awaitFigure(page, PAUSED, 1);
        String last = page.locator(".line").last().innerText();
        awaitFigure(page, PAUSED, 1_000);
        Assertions.assertThat(page.locator(".line").last().innerText()).isEqualTo(last);

        page.locator(".log").press("Space");
        awaitFigure(page, LIVE, 10_000 / 60 + 1);
        assertThat(page.locator(".line").last()).containsText("tick");
        Assertions.assertThat(page.locator(".line").count()).isLessThan(120);
        Assertions.assertThat(page.evaluate(GAPS)).as("lines that are missing").isEqualTo(0);

        Page agent = agent("tick", "left");
        button(agent, "Stop agent").click();
        assertThat(agent.locator("dl.facts")).containsText("stopped");
    }

    /** Waits until the page itself says so many. */
    private static void awaitFigure(Page page, String words, int least) {
        page.waitForFunction(
                """
                ([words, least]) => Number((document.querySelector('.rate').textContent
                    .match(words) ?? ['', '0'])[1].replaceAll(',', '')) >= least
                """,
                List.of(words, least));
    }
}
