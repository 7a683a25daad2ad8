package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.skep.browser.demo.DemoFleet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Cards of what waits for a person: what they show, and what can be said to them. */
class DecidingTest extends InChromium {
    @Override
    DemoFleet.Size size() {
        return new DemoFleet.Size(3, 21, 3, 0);
    }

    private static Locator card(Page page, String agent) {
        return page.locator("ul.needs > li:has-text('%s asks')".formatted(agent));
    }

    private static Locator button(Locator card, String name) {
        return card.getByRole(
                AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    @Test
    void always_is_offered_only_where_the_host_lets_its_agents_files_be_changed() {
        Page page = open(page(), "/overview");
        assertThat(button(card(page, "ada2"), "Approve once")).isVisible();
        assertThat(button(card(page, "ada2"), "Always")).hasCount(0);
        button(card(page, "enzo"), "Always").click();
        assertThat(page.locator("ul.waits > li:has(.decided):has-text('rm -rf build/old')"))
                .containsText(Pattern.compile("approved by operator anna .*, always from now on"));
    }

    @Test
    void an_edit_shows_what_it_changes_and_is_denied_with_a_reason() {
        Page page = open(page(), "/overview");
        Locator edit = card(page, "dara");
        assertThat(edit).containsText("asks to edit a file");
        assertThat(edit.locator(".diff .removed")).hasText("-  timeout: 5_000,");
        assertThat(edit.locator(".diff .added")).hasCount(2);
        edit.locator("input").fill("ask ben <b>first</b>");
        button(edit, "Deny").click();
        assertThat(edit).hasCount(0);
        assertThat(page.locator("ul.waits > li:has-text('dara')"))
                .containsText(
                        Pattern.compile("denied by operator anna .* UTC: ask ben <b>first</b>"));
    }
}
