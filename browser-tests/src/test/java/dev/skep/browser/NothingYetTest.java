package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import dev.skep.browser.demo.DemoFleet;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A first start: every page says how to fill it. */
class NothingYetTest extends InChromium {
    @Override
    DemoFleet.Size size() {
        return DemoFleet.Size.EMPTY;
    }

    @Test
    void empty_pages_say_what_to_do_next() {
        Page page = page();
        Map<String, String> words =
                Map.ofEntries(
                        Map.entry("/hosts", "skep hosts pair"),
                        Map.entry("/agents", "skep agents new"),
                        Map.entry("/sessions", "skep run"),
                        Map.entry("/logs", "No line was written yet"),
                        Map.entry("/mail", "There is no mail yet"),
                        Map.entry("/costs", "Nothing was spent"),
                        Map.entry("/nodes", "31415"),
                        Map.entry("/jobs", "skep jobs create"),
                        Map.entry("/servers", "Describe one here"),
                        Map.entry("/sync", "HUB_URLS"),
                        Map.entry("/alerts", "Nothing is wrong"),
                        Map.entry("/audit", "Nothing was done yet"));
        open(page, "/overview");
        assertThat(page.locator(".needs h2")).hasText("Nothing needs you");
        assertThat(page.locator("ol.steps")).containsText("skep agents new");
        words.forEach(
                (path, text) -> {
                    page.locator("nav.main a[href='" + path + "']").click();
                    assertThat(page.locator(".empty").first()).containsText(text);
                });
    }

    @Test
    void empty_settings_say_what_each_part_is_for() {
        Page page = open(page(), "/settings");
        for (String text :
                new String[] {
                    "No code is open. One lets one host join",
                    "No host has joined with a key.",
                    "Nobody is told about alerts or events yet.",
                    "Every host runs one job at a time."
                }) {
            assertThat(page.locator("main")).containsText(text);
        }
    }

    @Test
    void an_unknown_address_leads_back() {
        Page page = open(page(), "/nowhere");
        assertThat(page.locator(".empty")).containsText("There is no such page");
        page.locator(".empty a").click();
        assertThat(page.locator("h1")).hasText("Overview");
    }

    @Test
    void a_thing_that_is_not_there_is_told_apart_from_a_failure() {
        Page page = open(page(), "/overview");
        Map.of(
                        "/hosts/01NOTHING", "there is no host 01NOTHING",
                        "/agents/01NOTHING", "there is no agent 01NOTHING",
                        "/jobs/01NOTHING", "there is no job 01NOTHING",
                        "/nodes/01NOWHERE/nobody", "there is no node nobody",
                        "/sessions/01NOTHING/1/1", "there is no session")
                .forEach(
                        (path, text) -> {
                            go(page, path);
                            assertThat(page.locator(".empty").first()).containsText(text);
                        });
    }
}
