package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What people do from the pages, and what they are told about it. */
class ActingTest extends InChromium {
    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator field(Page page, String label) {
        return page.getByLabel(label);
    }

    @Test
    void a_refusal_is_shown_where_it_was_asked() {
        var agent = fleet.agents().get(13);
        Page page = open(page(), "/agents/" + agent.id());
        button(page, "Rename").click();
        page.locator("dialog button.primary").click();
        assertThat(page.locator("dialog .problem"))
                .hasText("that name is taken too; choose another");
    }

    @Test
    void the_card_of_a_command_decided_on_its_host_says_by_whom_and_when() {
        Pattern card =
                Pattern.compile(
                        "git fetch --all.*approved by the command line at 2026-11-15 13:\\d\\d:\\d\\d UTC",
                        Pattern.DOTALL);
        Page page = open(page(), "/overview");
        Locator decided = page.locator("ul.waits > li:has(.decided)");
        assertThat(decided).containsText(card);
        decided.locator("a").click();
        assertThat(page.locator("h1")).containsText(fleet.agents().get(5).username());
        assertThat(decided).containsText(card);
        page.reload();
        assertThat(decided).containsText(card);
    }

    @Test
    void a_failed_job_says_why_beside_its_status() {
        Page page = open(page(), "/jobs/" + fleet.failedJob());
        assertThat(page.locator("dl.facts div:has(dt:text-is('Status')) dd"))
                .containsText("exit status 2");
    }

    @Test
    void mail_to_nobody_known_is_refused_with_the_name() {
        Page page = open(page(), "/mail");
        page.keyboard().press("c");
        page.getByLabel("To: names, or name@host").fill("nobody-at-all");
        field(page, "Subject").fill("x");
        field(page, "Text").fill("x");
        button(page, "Send").click();
        assertThat(page.locator("dialog .problem")).containsText("nobody-at-all");
    }

    @Test
    void mail_between_agents_appears_without_reloading() {
        Page page = open(page(), "/mail");
        page.locator(".mails li").first().waitFor();
        fleet.mail(fleet.agents().get(1), fleet.agents().get(2), "From afar", "Hello.");
        assertThat(page.locator(".mails li").first()).containsText("From afar");
    }

    @Test
    void older_mail_comes_when_it_is_asked_for() {
        Page page = open(page(), "/mail");
        Locator oldest = page.locator(".mails li").last();
        String before = oldest.innerText();
        button(page, "Load older mail").click();
        assertThat(oldest).not().hasText(before);
        assertThat(button(page, "Load older mail")).hasCount(0);
    }

    @Test
    void an_alert_names_its_host_stands_for_it_and_leads_to_it() {
        Page page = open(page(), "/overview");
        String host = fleet.hostName(9);
        Locator need = page.getByText("Host %s sends no heartbeats.".formatted(host));
        assertThat(need).hasCount(1);
        assertThat(page.getByText(host + " is offline")).hasCount(0);
        need.click();
        assertThat(page.locator("h1")).containsText(host);
        assertThat(page.locator("main")).containsText("Connections");
        assertThat(page.locator("table[aria-label='When this host was connected'] tbody tr"))
                .hasText(
                        new Pattern[] {
                            Pattern.compile("ended.*the connection broke"),
                            Pattern.compile("ended.*the connection broke"),
                            Pattern.compile("ended.*the runner is shutting down")
                        });
    }

    @Test
    void a_used_up_budget_and_a_name_that_two_have_are_told_and_lead_to_the_agent() {
        Page page = open(page(), "/overview");
        page.getByText("hana has used up its budget").click();
        assertThat(page.locator("h1")).containsText("hana@");
        assertThat(page.locator("dl.facts")).containsText("over budget");

        page.goBack();
        page.getByText("Username 'ada' already exists. Please rename.").click();
        assertThat(page.locator("h1")).containsText("ada@");
        assertThat(page.locator("dl.facts"))
                .containsText("Username 'ada' already exists. Please rename.");
        assertThat(button(page, "Rename")).isVisible();
    }

    @Test
    void whoever_is_told_that_hosts_are_degraded_is_told_which_and_why() {
        Page page = open(page(), "/overview");
        assertThat(page.locator(".totals a[href='/hosts']")).containsText("offline");
        Locator degraded =
                page.locator("ul.needs > li", new Page.LocatorOptions().setHasText("is degraded"));
        assertThat(degraded.first()).containsText("memory above 90 %");
        degraded.first().locator("a").click();
        assertThat(page.locator("dl.facts")).containsText("degraded");
    }

    @Test
    void a_host_shows_its_cpu_memory_and_disk_in_its_row_and_on_its_page() {
        Page page = open(page(), "/hosts");
        Locator row =
                page.locator("tbody tr", new Page.LocatorOptions().setHasText(fleet.hostName(0)));
        Pattern three = Pattern.compile("\\d+%.*\\d+%.*\\d+%", Pattern.DOTALL);
        assertThat(row.first()).containsText(three);
        open(page, "/hosts/" + fleet.host(0));
        assertThat(page.locator("dl.facts"))
                .containsText(
                        Pattern.compile(
                                "CPU\\s*\\d+%.*Memory\\s*\\d+%.*Disk\\s*\\d+%", Pattern.DOTALL));
    }

    @Test
    void a_node_shows_how_long_it_was_up_and_what_went_through_it() {
        Page page = open(page(), "/nodes/" + fleet.firstNode());
        assertThat(page.locator("dl.facts"))
                .containsText(
                        Pattern.compile(
                                "Uptime.*Messages relayed\\d+.*Proxy sessions\\d+.*Errors\\d+",
                                Pattern.DOTALL));
    }

    @Test
    void a_test_of_a_webhook_says_what_the_other_side_answered() {
        Page page = open(page(), "/settings");
        Locator channel = page.locator("tr", new Page.LocatorOptions().setHasText("team channel"));
        channel.getByText("Test", new Locator.GetByTextOptions().setExact(true)).click();
        assertThat(channel.locator(".note")).hasText("It arrived: HTTP 204");
        Locator pager = page.locator("tr", new Page.LocatorOptions().setHasText("pager"));
        pager.getByText("Test", new Locator.GetByTextOptions().setExact(true)).click();
        assertThat(pager.locator(".problem")).containsText("It did not arrive: answered 503.");
    }

    @Test
    void the_first_job_is_filled_in_with_what_a_host_must_allow_before() {
        Page page = open(page(), "/jobs");
        button(page, "New job").click();
        assertThat(page.getByLabel("Payload, a JSON object")).hasValue("{\"command\": \"uptime\"}");
        assertThat(page.locator("dialog"))
                .containsText("echo \"uptime\" >> ~/.skep/allowed-commands");
        page.keyboard().press("Escape");
    }

    @Test
    void the_audit_goes_back_is_filtered_by_the_names_people_know_and_exported()
            throws IOException {
        Page page = open(page(), "/audit");
        button(page, "Load older entries").click();
        assertThat(page.locator("tbody tr")).hasCount(160);
        assertThat(button(page, "Load older entries")).hasCount(0);
        page.getByLabel("Who, for example maria").fill("jonas");
        assertThat(page.locator("tbody tr td:nth-child(3)").first()).hasText("jonas");
        page.getByLabel("What, for example job created").fill("job created");
        assertThat(page.locator("tbody tr td:nth-child(4)").first()).hasText("job created");

        Download file = page.waitForDownload(button(page, "Export CSV")::click);
        List<String> lines = Files.readAllLines(file.path());
        Assertions.assertThat(lines.getFirst()).isEqualTo("at,actor,action,target,from,detail");
        Assertions.assertThat(lines.subList(1, lines.size()))
                .hasSize(page.locator("tbody tr").count())
                .allMatch(line -> line.contains(",operator:o2,job_created,job:"));
    }

    @Test
    void revoking_a_host_asks_for_its_name() {
        Page page = open(page(), "/hosts/" + fleet.host(0));
        button(page, "Revoke").first().click();
        Locator confirm = page.locator("dialog button.danger");
        assertThat(confirm).isDisabled();
        page.locator("dialog input").fill(fleet.hostName(0));
        assertThat(confirm).isEnabled();
        confirm.click();
        assertThat(page.locator("dialog")).hasCount(0);
        assertThat(page.locator("header .note")).hasText("Revoked; it is no longer let in");
    }

    @Test
    void a_host_key_is_found_among_many() {
        Page page = open(page(), "/settings");
        Locator keys =
                page.getByRole(AriaRole.TABLE, new Page.GetByRoleOptions().setName("Host keys"));
        page.getByLabel("Find a host").fill(fleet.hostName(7));
        assertThat(keys.locator("tbody tr")).hasCount(1);
        assertThat(keys).containsText(fleet.hostName(7));
        page.getByLabel("Find a host").fill("nowhere");
        assertThat(page.locator("main")).containsText("No host is called that.");
    }

    @Test
    void whoever_has_only_keys_is_never_lost() {
        Page page = open(page(), "/jobs");
        page.keyboard().press("Tab");
        assertThat(page.locator(".skip")).isFocused();
        page.keyboard().press("Enter");
        assertThat(page.locator("h1")).isFocused();
        page.keyboard().press("Tab");
        page.keyboard().press("Enter");
        assertThat(page.getByLabel("Where")).isFocused();
        page.keyboard().press("Escape");
        assertThat(button(page, "New job")).isFocused();

        // That button is gone with its page.
        page.keyboard().press("g");
        page.keyboard().press("h");
        assertThat(page.locator("h1")).hasText("Hosts");
        assertThat(page.locator("h1")).isFocused();
        page.locator("tbody tr").first().waitFor();
        page.keyboard().press("End");
        assertThat(page.locator("tbody tr:last-child .name")).isInViewport();
    }

    @Test
    void a_viewer_is_offered_nothing_to_do() {
        Page page = page("viewer", ColorScheme.DARK, Screen.DESKTOP);
        open(page, "/agents/" + fleet.agents().get(3).id());
        page.locator(".facts").waitFor();
        assertThat(button(page, "Pause agent")).hasCount(0);
        assertThat(page.locator("nav.main")).not().containsText("Settings");
    }
}
