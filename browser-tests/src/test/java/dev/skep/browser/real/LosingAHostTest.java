package dev.skep.browser.real;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.regex.Pattern;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A host that dies, whose agent moves, that comes back and is sent away. One story in steps. */
@Order(3)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LosingAHostTest extends RealChromium {
    /** A busy machine is degraded, and there. */
    private static final Pattern THERE = Pattern.compile("online|degraded");

    /** After two minutes an alert says it. */
    private static final Pattern LOST = Pattern.compile("spare (is offline|sends no heartbeats)");

    @Test
    @Order(1)
    void a_killed_runner_goes_offline_with_its_agents() throws InterruptedException {
        Page hosts = open("/hosts");
        Page agents = open("/agents?q=finn");
        Page overview = open("/overview");
        assertThat(row(hosts, "spare")).containsText(THERE);
        assertThat(row(agents, "finn")).containsText("waiting");

        fleet.spare().kill();
        assertThat(row(hosts, "spare")).containsText("offline");
        assertThat(row(agents, "finn")).containsText("unreachable");
        assertThat(overview.locator("ul.needs")).containsText(LOST);
    }

    @Test
    @Order(2)
    void an_agent_of_a_dead_host_is_adopted_from_its_own_page() {
        Page page = agent("finn", "spare");
        button(page, "Adopt").click();
        adopt(page, "left", "finn");
        assertThat(page.locator("h1")).containsText("finn@left");
    }

    @Test
    @Order(3)
    void the_other_agents_of_a_dead_host_are_adopted_from_the_page_of_the_host() {
        Page page = open("/hosts");
        row(page, "spare").locator("a").first().click();
        button(page, "Adopt agents").click();
        adopt(page, "right", "spare");
        assertThat(row(open("/agents?q=gwen@right"), "gwen")).isVisible();
        assertThat(row(open("/agents?q=finn@left"), "finn")).isVisible();
    }

    private static void adopt(Page page, String to, String confirmed) {
        choose(page, "New host", to);
        page.locator("dialog input[name=confirm]").fill(confirmed);
        submit(page);
        assertThat(page.locator("dialog")).hasCount(0);
    }

    @Test
    @Order(4)
    void a_killed_runner_comes_back() {
        Page hosts = open("/hosts");
        assertThat(row(hosts, "spare")).containsText("offline");
        fleet.spare().startAgain();
        assertThat(row(hosts, "spare")).containsText(THERE);

        row(hosts, "spare").locator("a").first().click();
        Locator links = hosts.locator("table[aria-label='When this host was connected'] tbody tr");
        assertThat(links.first()).containsText(Pattern.compile("connected.*127\\.0\\.0\\.1"));
        assertThat(links.nth(1)).containsText("the connection broke");
    }

    @Test
    @Order(5)
    void a_host_is_revoked_by_its_name() {
        Page page = open("/hosts");
        row(page, "spare").locator("a").first().click();
        button(page, "Revoke").click();
        page.locator("dialog input[name=confirm]").fill("spare");
        submit(page);
        assertThat(page.locator("dialog")).hasCount(0);
        assertThat(row(open("/settings"), "spare")).containsText("revoked");
    }
}
