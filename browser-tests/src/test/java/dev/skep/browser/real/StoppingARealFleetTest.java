package dev.skep.browser.real;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Many agents of several hosts are steered at once, and all of them stopped. */
@Order(2)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoppingARealFleetTest extends RealChromium {
    private static Locator box(Page page, String name) {
        return page.getByRole(
                AriaRole.CHECKBOX, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator picked(Page page) {
        return page.locator(".picked");
    }

    @Test
    @Order(1)
    void chosen_agents_of_two_hosts_pause_and_go_on_together() {
        Page page = open("/agents?q=ada");
        box(page, "ada on left").check();
        page.locator(".bar input[type=search]").fill("");
        box(page, "ben on right").check();
        assertThat(picked(page)).containsText("2 agents");
        in(picked(page), "Pause").click();
        assertThat(picked(page)).containsText("Done by 2 of 2");
        assertThat(row(page, "ada")).containsText("paused");
        assertThat(row(page, "ben")).containsText("paused");
        in(picked(page), "Resume").click();
        assertThat(row(page, "ben")).containsText("waiting");
        page.keyboard().press("Escape");
        assertThat(picked(page)).hasCount(0);
    }

    @Test
    @Order(2)
    void a_refusal_is_told_with_the_agents_name() {
        Page page = open("/agents?q=ada");
        box(page, "ada on left").check();
        in(picked(page), "Stop").click();
        assertThat(row(page, "ada")).containsText("stopped");
        in(picked(page), "Pause").click();
        assertThat(page.locator("dialog")).containsText("ada@left");
        assertThat(page.locator("dialog")).containsText("is not running; start it first");
        page.locator("dialog button.primary").click();
        in(picked(page), "Start").click();
        assertThat(row(page, "ada")).containsText("waiting");
    }

    @Test
    @Order(3)
    void all_agents_are_stopped_and_every_page_says_so_until_they_are_let_go() {
        Page page = open("/agents");
        button(page, "Stop all").click();
        fill(page, "Why, for the others (optional)", "a drill");
        submit(page);
        assertThat(page.locator("dialog")).containsText("stand still");
        page.locator("dialog button").last().click();
        Page other = open("/hosts");
        assertThat(other.locator(".banner.held")).containsText("All agents are stopped");
        assertThat(other.locator(".banner.held")).containsText("a drill");
        assertThat(row(page, "ben")).containsText("held");
        in(other.locator(".banner.held"), "Let them go on").click();
        assertThat(other.locator(".banner.held")).hasCount(0);
        assertThat(row(page, "ben")).containsText("waiting");
    }
}
