package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Mouse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import dev.skep.agents.Agent;
import dev.skep.browser.demo.DemoFleet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What changes while its page is open; a fleet of its own, which is another one after it. */
class ChangingUnderEyesTest extends InChromium {
    @Override
    DemoFleet.Size size() {
        return new DemoFleet.Size(3, 21, 3, 0);
    }

    @Test
    void a_cost_is_added_as_soon_as_it_is_stored() {
        Page page = open(page(), "/costs");
        Locator sum = page.locator("figcaption b");
        String before = sum.innerText();

        fleet.spend(fleet.agents().getFirst(), 5_000_000);
        assertThat(sum).not().hasText(before);
    }

    @Test
    void an_agents_page_shows_the_file_as_it_is_now() {
        Agent agent = fleet.agents().getFirst();
        Page page = open(page(), "/agents/" + agent.id());
        assertThat(page.locator("pre")).containsText("wake_on_mail: true");

        String config = Objects.requireNonNull(agent.config());
        fleet.configure(agent, config.replace("wake_on_mail: true", "wake_on_mail: false"));
        assertThat(page.locator("pre")).containsText("wake_on_mail: false");
    }

    @Test
    void why_an_agent_cannot_go_on_is_there_when_the_page_is_loaded_again() {
        Agent agent = fleet.agents().get(1);
        String why = "model house/model needs a key: put HOUSE_KEY=… into .env in the data folder";
        fleet.fail(agent, why);
        Page page = open(page(), "/agents/" + agent.id());
        assertThat(page.locator("dl.facts")).containsText(why);
        page.reload();
        assertThat(page.locator("dl.facts")).containsText(why);
        go(page, "/overview");
        assertThat(page.locator("ul.needs")).containsText(why);
    }

    /** The next question stands where the first one stood, and nobody has read it yet. */
    @Test
    void a_double_click_answers_one_question() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Page page = open(page(), "/overview");
        page.onRequest(
                request -> {
                    if (request.url().contains("/approvals/")) {
                        asked.add(request.url());
                    }
                });
        Locator approve =
                page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Approve"));
        assertThat(approve).hasCount(3);
        BoundingBox first = approve.first().boundingBox();
        page.mouse().click(first.x + first.width / 2, first.y + first.height / 2);
        page.waitForCondition(() -> approve.count() == 2 && isAt(approve.first(), first.y));

        page.mouse().down(new Mouse.DownOptions().setClickCount(2));
        page.mouse().up(new Mouse.UpOptions().setClickCount(2));
        page.evaluate("() => new Promise(drawn => requestAnimationFrame(drawn))");
        assertThat(approve.first()).hasText("Approve once");
        Assertions.assertThat(asked).hasSize(1);
    }

    /** A button that is drawn anew just now is nowhere. */
    private static boolean isAt(Locator button, double y) {
        BoundingBox box = button.first().boundingBox();
        return box != null && box.y == y;
    }

    @Test
    void a_host_is_offered_by_its_new_name() {
        Page page = open(page(), "/agents");
        Locator offered = page.getByLabel("Filter by host").locator("option");
        assertThat(offered).hasCount(4);

        fleet.rename(fleet.host(1), "orchard");
        assertThat(offered.getByText("orchard")).hasCount(1);
        assertThat(offered).hasCount(4);
    }
}
