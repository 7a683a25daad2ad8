package dev.skep.browser.real;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SelectOption;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What people do from the pages of a hub really happens on the hosts. The last ones end a host. */
@Order(1)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ActingOnARealFleetTest extends RealChromium {
    private static void fill(Page page, String label, String text) {
        page.locator("dialog").getByLabel(label).fill(text);
    }

    private static void submit(Page page) {
        page.locator("dialog form .acts button").last().click();
    }

    private static Locator waiting(Page overview, String agent) {
        return overview.locator(
                "ul.needs > li", new Page.LocatorOptions().setHasText(agent + " asks to run"));
    }

    private static void answer(Locator waiting, String button) {
        waiting.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button)).click();
        assertThat(waiting).hasCount(0);
    }

    private Page log(String agent, String host) {
        Page page = agent(agent, host);
        page.locator("a:has-text('live log')").click();
        return page;
    }

    @Test
    @Order(1)
    void a_waiting_command_is_approved_and_runs_on_its_host() {
        Locator waiting = waiting(open("/overview"), "carol");
        assertThat(waiting).containsText("rm -rf build/old");
        assertThat(waiting).containsText("denied by itself in");
        answer(waiting, "Approve");
        assertThat(log("carol", "left").locator(".log")).containsText("All tidy.");
    }

    @Test
    @Order(1)
    void a_waiting_command_is_denied_and_its_agent_is_told() {
        Locator waiting = waiting(open("/overview"), "dan");
        assertThat(waiting).containsText("echo dropped");
        answer(waiting, "Deny");
        Page log = log("dan", "right");
        assertThat(log.locator(".log")).containsText("Then I leave it.");
        assertThat(log.locator(".line.output", new Page.LocatorOptions().setHasText("dropped")))
                .hasCount(0);
    }

    @Test
    @Order(2)
    void an_agent_is_stopped_and_started() {
        Page page = agent("ada", "left");
        button(page, "Stop agent").click();
        assertThat(page.locator("dl.facts")).containsText("stopped");
        button(page, "Start agent").click();
        assertThat(page.locator("dl.facts")).containsText("waiting");
    }

    @Test
    @Order(3)
    void a_name_that_two_hosts_have_is_changed_on_one() {
        Page list = open("/agents?q=dora");
        row(list, "name taken").locator("a").first().click();
        button(list, "Rename").click();
        fill(list, "New name", "Not A Name");
        submit(list);
        assertThat(list.locator("header .problem")).containsText("must be up to 32");

        button(list, "Rename").click();
        fill(list, "New name", "dora-two");
        submit(list);
        assertThat(list.locator("h1")).containsText("dora-two");
        assertThat(button(list, "Rename")).hasCount(0);
    }

    @Test
    @Order(4)
    void an_operator_writes_to_an_agent_of_a_host() {
        Page page = open("/mail");
        page.keyboard().press("c");
        fill(page, "To: names, or name@host", "ben");
        fill(page, "Subject", "Lunch at one");
        fill(page, "Text", "In the small room.");
        submit(page);
        page.locator(".mails li", new Page.LocatorOptions().setHasText("Lunch at one"))
                .first()
                .click();
        assertThat(page.locator(".letter li", new Page.LocatorOptions().setHasText("ben")))
                .containsText(Pattern.compile("\\sread "));
    }

    @Test
    @Order(5)
    void labels_and_limits_are_edited() {
        Page page = open("/hosts");
        row(page, "left").locator("a").first().click();
        button(page, "Edit").click();
        fill(page, "Labels, as key=value, separated by commas", "env=test");
        fill(page, "Jobs at the same time", "3");
        submit(page);
        assertThat(page.locator("dl.facts")).containsText("test");
        assertThat(page.locator("dl.facts")).containsText("3 jobs at a time");
    }

    @Test
    @Order(6)
    void a_job_runs_on_a_host_prints_and_is_run_again() {
        Page page = open("/jobs");
        button(page, "New job").click();
        page.locator("dialog")
                .getByLabel("Where")
                .selectOption(new SelectOption().setLabel("host left"));
        fill(page, "Payload, a JSON object", "{\"command\": \"echo one; echo two\"}");
        submit(page);
        assertThat(page.locator("pre.output")).containsText("two");
        assertThat(page.locator("dl.facts")).containsText("succeeded");
        button(page, "Retry").click();
        assertThat(page.locator("tbody tr")).hasCount(2);
    }

    @Test
    @Order(7)
    void a_running_job_is_cancelled() {
        Page page = open("/jobs");
        button(page, "New job").click();
        page.locator("dialog")
                .getByLabel("Where")
                .selectOption(new SelectOption().setLabel("host left"));
        fill(page, "Payload, a JSON object", "{\"command\": \"sleep 600\"}");
        submit(page);
        assertThat(page.locator("dl.facts")).containsText("running");
        button(page, "Cancel").click();
        assertThat(page.locator("dl.facts")).containsText("cancelled");
    }

    @Test
    @Order(8)
    void a_server_is_described_started_and_stopped() {
        Page page = open("/servers");
        button(page, "New server").click();
        page.locator("dialog").getByLabel("Host").selectOption(new SelectOption().setLabel("left"));
        fill(page, "Name", "sleeper");
        fill(page, "Command", "sleep 1000");
        submit(page);
        button(page, "Start").click();
        assertThat(row(page, "sleeper")).containsText("running");
        button(page, "Stop").click();
        assertThat(row(page, "sleeper")).containsText("stopped");
    }

    @Test
    @Order(9)
    void a_webhook_is_added_and_tried_out() throws IOException {
        HttpServer receiver =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> exchange.sendResponseHeaders(204, -1));
        receiver.start();
        try {
            Page page = open("/settings");
            button(page, "Add a webhook").click();
            page.locator("dialog").getByLabel("Kind").selectOption("generic");
            fill(page, "Name", "pager");
            fill(page, "URL", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
            submit(page);
            assertThat(page.locator("dialog pre")).not().isEmpty();
            button(page, "Close").click();
            button(page, "Test").click();
            assertThat(row(page, "pager").locator(".note")).hasText("Done");
            Page alerts = open("/alerts");
            assertThat(alerts.locator("main")).containsText("pager");
        } finally {
            receiver.stop(0);
        }
    }

    @Test
    @Order(10)
    void a_key_is_rotated_and_a_host_invited() {
        Page page = open("/settings");
        row(page, "left")
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Rotate"))
                .click();
        assertThat(page.locator("main .note")).hasText("Done");
        button(page, "Make a pairing code").click();
        button(page, "Make a code").click();
        assertThat(page.locator("dialog pre")).containsText("skep enrol " + fleet.hub.url());
    }

    @Test
    @Order(11)
    void the_agents_of_a_dead_host_are_adopted_and_the_host_is_revoked()
            throws InterruptedException {
        fleet.right.kill();
        Page page = open("/hosts");
        assertThat(row(page, "right")).containsText("offline");
        row(page, "right").locator("a").first().click();
        button(page, "Adopt agents").click();
        page.locator("dialog")
                .getByLabel("New host")
                .selectOption(new SelectOption().setLabel("left"));
        page.locator("dialog input[name=confirm]").fill("right");
        submit(page);
        assertThat(page.locator("dialog")).hasCount(0);
        Page agents = open("/agents?q=ben");
        assertThat(row(agents, "ben")).containsText("left");

        button(page, "Revoke").click();
        page.locator("dialog input[name=confirm]").fill("right");
        submit(page);
        assertThat(page.locator("dialog")).hasCount(0);
        assertThat(row(open("/settings"), "right")).containsText("revoked");
    }
}
