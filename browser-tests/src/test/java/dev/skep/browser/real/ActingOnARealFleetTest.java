package dev.skep.browser.real;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What people do from the pages of a hub really happens on the hosts. */
@Order(1)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ActingOnARealFleetTest extends RealChromium {
    private static final String TAKEN = "Username 'dora' already exists. Please rename.";

    private String cancelled = "";

    private static Locator waiting(Page overview, String agent) {
        return overview.locator(
                "ul.needs > li", new Page.LocatorOptions().setHasText(agent + " asks to run"));
    }

    /** The card of a command after its decision. */
    private static Locator decided(Page page, String words) {
        return page.locator(
                "ul.waits > li:has(.decided)", new Page.LocatorOptions().setHasText(words));
    }

    private static void answer(Locator waiting, String button) {
        in(waiting, button).click();
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
        answer(waiting, "Approve once");
        Pattern card =
                Pattern.compile("approved by operator \\S+ \\(through \\S+\\) at 20\\d\\d-.* UTC");
        Page overview = open("/overview");
        assertThat(decided(overview, "carol")).containsText(card);
        assertThat(decided(overview, "carol")).containsText("rm -rf build/old");
        overview.reload();
        assertThat(decided(overview, "carol")).containsText(card);
        assertThat(decided(agent("carol", "left"), "rm -rf build/old")).containsText(card);
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
        assertThat(list.locator("dl.facts")).containsText(TAKEN);
        // Its host says so in its terminal and in its log.
        SkepProcess host =
                list.locator("h1").innerText().endsWith("left") ? fleet.left() : fleet.right();
        host.awaitPrinted("! " + TAKEN);
        host.awaitPrinted("agent=dora " + TAKEN);
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

    /** Asks for a job where it is to run, and arrives at its page. */
    private Page newJob(String where, Consumer<Page> what) {
        Page page = open("/jobs");
        button(page, "New job").click();
        choose(page, "Where", where);
        what.accept(page);
        submit(page);
        return page;
    }

    private Page newJob(String where, String command) {
        String payload = "{\"command\": \"%s\"}".formatted(command);
        return newJob(where, form -> fill(form, "Payload, a JSON object", payload));
    }

    @Test
    @Order(6)
    void a_job_runs_on_a_host_prints_and_is_run_again() {
        Page page = newJob("host left", "echo one; echo two");
        assertThat(page.locator("pre.output")).containsText("two");
        assertThat(page.locator("dl.facts")).containsText("succeeded");
        button(page, "Retry").click();
        assertThat(page.locator("tbody tr")).hasCount(2);
    }

    @Test
    @Order(7)
    void a_running_job_is_asked_to_stop() {
        Page page = newJob("host left", "sleep 600");
        assertThat(page.locator("dl.facts")).containsText("running");
        button(page, "Cancel").click();
        // It is shown for seconds only; whoever looks later sees that it has stopped.
        page.locator("header .note:has-text('Asked to stop'), dl.facts:has-text('cancelled')")
                .first()
                .waitFor();
        cancelled = page.url();
    }

    @Test
    @Order(7)
    void a_job_is_told_when_to_start_how_often_to_try_and_how_long_it_may_take() {
        Page page =
                newJob(
                        "host left",
                        form -> {
                            fill(form, "Attempts, if it fails", "3");
                            fill(form, "Time limit in seconds; empty for none", "90");
                            fill(
                                    form,
                                    "Not before, by your clock; empty for at once",
                                    "2100-01-02T08:00");
                        });
        assertThat(page.locator("dl.facts"))
                .containsText(
                        Pattern.compile(
                                "pending.*Attempts\\s*1 of 3\\s*Time limit\\s*1 min.*2100-01-0",
                                Pattern.DOTALL));
        button(page, "Cancel").click();
        assertThat(page.locator("dl.facts")).containsText("cancelled");
    }

    /** The host hears of it with its next beat; others work meanwhile. */
    @Test
    @Order(12)
    void what_was_asked_to_stop_has_stopped() {
        Page page = page();
        page.navigate(cancelled);
        assertThat(page.locator("dl.facts")).containsText("cancelled");
        assertThat(button(page, "Retry")).isVisible();
    }

    @Test
    @Order(8)
    void a_server_is_described_started_restarted_stopped_and_removed() {
        Page page = open("/servers");
        button(page, "New server").click();
        choose(page, "Host", "left");
        fill(page, "Name", "sleeper");
        fill(page, "Command", "sleep 1000");
        submit(page);
        button(page, "Start").click();
        assertThat(row(page, "sleeper")).containsText("running");

        Page job = newJob("server sleeper on left", form -> choose(form, "Type", "server.status"));
        assertThat(job.locator("h1")).containsText("server.status");
        assertThat(job.locator("dl.facts")).containsText("succeeded");

        button(page, "Restart").click();
        assertThat(row(open("/jobs"), "server.restart")).containsText("succeeded");

        button(page, "Stop").click();
        assertThat(row(page, "sleeper")).containsText("stopped");
        button(page, "Remove").click();
        page.locator("dialog input[name=confirm]").fill("sleeper");
        submit(page);
        assertThat(row(page, "sleeper")).hasCount(0);
    }

    @Test
    @Order(9)
    void a_webhook_is_added_tried_out_and_removed() throws IOException {
        HttpServer receiver =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var answer = new AtomicInteger(204);
        receiver.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(answer.get(), -1);
                    exchange.close();
                });
        receiver.start();
        try {
            Page page = open("/settings");
            button(page, "Add a webhook").click();
            page.locator("dialog").getByLabel("Kind").selectOption("generic");
            fill(page, "Name", "pager");
            fill(page, "URL", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
            page.locator("dialog").getByLabel("Job failed").check();
            page.locator("dialog").getByLabel("Run over").check();
            submit(page);
            assertThat(page.locator("dialog pre")).not().isEmpty();
            button(page, "Close").click();
            assertThat(row(page, "pager")).containsText("job failed, run over");
            button(page, "Test").click();
            row(page, "pager").locator(".note:has-text('It arrived: HTTP 204')").waitFor();
            answer.set(500);
            button(page, "Test").click();
            assertThat(row(page, "pager").locator(".problem"))
                    .containsText("It did not arrive: answered 500.");
            assertThat(open("/alerts").locator("main")).containsText("pager");

            button(page, "Remove").click();
            page.locator("dialog input[name=confirm]").fill("pager");
            submit(page);
            assertThat(row(page, "pager")).hasCount(0);
        } finally {
            receiver.stop(0);
        }
    }

    @Test
    @Order(10)
    void a_key_is_rotated_and_a_host_invited() {
        Page page = open("/settings");
        Locator keys = page.getByLabel("Host keys").locator("tbody tr");
        in(keys.filter(new Locator.FilterOptions().setHasText("left")), "Rotate").click();
        page.locator("main .note").waitFor();
        button(page, "Make a pairing code").click();
        button(page, "Make a code").click();
        assertThat(page.locator("dialog pre")).containsText("skep enrol " + fleet.hub.url());
        assertThat(page.locator("dialog")).containsText("Only this machine reaches 127.0.0.1");
        assertThat(page.getByLabel("Pairing codes that were not used")).containsText("just now");
    }

    @Test
    @Order(10)
    void an_admin_sets_when_hosts_are_offline_and_takes_it_back() {
        Page page = open("/settings");
        Locator rules =
                page.locator("section.part")
                        .filter(new Locator.FilterOptions().setHasText("Offline after"));
        assertThat(rules).containsText(Pattern.compile("Offline after\\s*2m\\s*as usual"));
        in(rules, "Edit").click();
        page.locator("dialog input[name=offlineAfterSeconds]").fill("5m");
        submit(page);
        assertThat(rules).containsText(Pattern.compile("Offline after\\s*5m"));
        in(rules, "Edit").click();
        page.locator("dialog input[name=offlineAfterSeconds]").fill("10s");
        submit(page);
        assertThat(page.locator("dialog")).containsText("must be from 60 to 86400");
        page.locator("dialog input[name=offlineAfterSeconds]").fill("");
        submit(page);
        assertThat(rules).containsText(Pattern.compile("Offline after\\s*2m\\s*as usual"));
    }

    @Test
    @Order(11)
    void a_person_gets_a_role_and_a_link_and_is_locked_out() {
        Page page = open("/settings");
        button(page, "Add an operator").click();
        fill(page, "User name", "wei");
        submit(page);
        assertThat(page.locator("dialog pre")).containsText("/sign-in#");
        button(page, "Close").click();

        Locator role = page.getByLabel("Role of wei");
        assertThat(role).hasValue("viewer");
        page.waitForResponse(
                answer -> answer.request().method().equals("PATCH"),
                () -> role.selectOption("operator"));
        page.reload();
        assertThat(page.getByLabel("Role of wei")).hasValue("operator");

        in(row(page, "wei"), "Reset").click();
        submit(page);
        Page theirs = stranger();
        theirs.navigate(page.locator("dialog pre").innerText());
        assertThat(theirs.locator("nav.main")).containsText("operator");
        assertThat(theirs.locator("nav.main")).not().containsText("Settings");
        button(page, "Close").click();

        in(row(page, "wei"), "Disable").click();
        assertThat(row(page, "wei")).containsText("disabled");
        theirs.reload();
        assertThat(theirs).hasURL(Pattern.compile(".*/sign-in.*"));
        in(row(page, "wei"), "Enable").click();
        assertThat(row(page, "wei")).containsText("enabled");
    }
}
