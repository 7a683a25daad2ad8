package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.skep.browser.demo.DemoControls;
import dev.skep.supervisor.source.AgentControls.Action;
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
    void pausing_an_agent_reaches_its_host() {
        var agent = fleet.agents().get(3);
        Page page = open(page(), "/agents/" + agent.id());
        button(page, "Pause agent").click();
        assertThat(page.locator(".note")).hasText("Sent to the host");
        Assertions.assertThat(fleet.controls().asked())
                .contains(new DemoControls.Asked(agent.id().value(), Action.PAUSE, ""));
    }

    @Test
    void talking_to_an_agent_sends_the_text() {
        var agent = fleet.agents().get(3);
        Page page = open(page(), "/agents/" + agent.id());
        button(page, "Talk").click();
        field(page, "Message").fill("Please stop at noon.");
        button(page, "Say it").click();
        assertThat(page.locator("dialog")).hasCount(0);
        Assertions.assertThat(fleet.controls().asked())
                .contains(
                        new DemoControls.Asked(
                                agent.id().value(), Action.TALK, "Please stop at noon."));
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
    void a_waiting_command_is_approved_on_the_overview() {
        Page page = open(page(), "/overview");
        Locator waiting =
                page.locator("ul.needs > li", new Page.LocatorOptions().setHasText("asks to run"));
        waiting.first().waitFor();
        int before = waiting.count();
        waiting.first()
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Approve"))
                .click();
        assertThat(waiting).hasCount(before - 1);
    }

    @Test
    void mail_is_written_as_operator_and_appears() {
        var agent = fleet.agents().get(5);
        Page page = open(page(), "/mail");
        page.keyboard().press("c");
        page.getByLabel("To: names, or name@host").fill(agent.username());
        field(page, "Subject").fill("Lunch at one");
        field(page, "Text").fill("In the small room.");
        button(page, "Send").click();
        assertThat(page.locator(".mails li").first()).containsText("Lunch at one");
        assertThat(page.locator(".mails li").first()).containsText("maria");
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
    void a_failed_job_is_retried_and_a_running_one_cancelled() {
        Page page = open(page(), "/jobs/" + fleet.failedJob());
        button(page, "Retry").click();
        assertThat(page.locator(".facts")).containsText("pending");

        open(page, "/jobs/" + fleet.runningJob());
        button(page, "Cancel").click();
        assertThat(page.locator(".facts")).containsText("cancelled");
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
    }

    @Test
    void a_pairing_code_comes_with_the_command_to_run() {
        Page page = open(page(), "/hosts");
        button(page, "Add a host").click();
        button(page, "Make a code").click();
        assertThat(page.locator("dialog pre")).containsText("--code K7QX-2M9P");
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
