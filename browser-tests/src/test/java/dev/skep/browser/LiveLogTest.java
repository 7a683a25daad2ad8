package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.skep.agents.Agent;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.SessionKey;
import dev.skep.browser.demo.DemoTurn;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
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
        Page page = open(page(), Paths.sessionPath(session));
        assertThat(page.locator(".line").last()).containsText("old 1999");

        for (int i = 0; i < 6; i++) {
            page.evaluate("document.querySelector('.log').scrollTop = 0");
            page.waitForTimeout(300);
        }
        page.evaluate("document.querySelector('.log').scrollTop = 0");
        assertThat(page.locator(".line").first()).containsText("turn 1 ");
        fleet.say(agent, session, List.of(said("while reading")));
        assertThat(page.locator(".to-end")).isVisible();

        page.locator(".to-end").click();
        assertThat(page.locator(".line").last()).containsText("while reading");
    }

    @Test
    void a_line_has_an_address() {
        Agent agent = fleet.agents().get(4);
        Page page = open(page(), Paths.sessionPath(fleet.sessionOf(agent)));
        page.locator(".line .at").nth(2).click();
        String line = page.locator(".line.linked").innerText();

        Page other = open(page(), page.url().replace(fleet.url(), ""));
        assertThat(other.locator(".line.linked")).hasText(Pattern.compile(".*"));
        assertThat(other.locator(".line.linked").innerText()).isEqualTo(line);
    }

    @Test
    void text_is_found_and_counted() {
        Agent agent = fleet.agents().get(5);
        SessionKey session = fleet.sessionOf(agent);
        fleet.say(agent, session, List.of(said("a needle in it")));
        Page page = open(page(), Paths.sessionPath(session));
        page.getByRole(
                        AriaRole.SEARCHBOX,
                        new Page.GetByRoleOptions().setName("Find in the loaded lines"))
                .fill("needle");
        assertThat(page.locator(".bar")).containsText("1 match");
        assertThat(page.locator("mark").first()).hasText("needle");
    }
}
