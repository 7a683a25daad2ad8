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
                Map.of(
                        "/hosts", "skep hosts pair",
                        "/agents", "skep agents new",
                        "/sessions", "skep run",
                        "/mail", "There is no mail yet",
                        "/costs", "Nothing was spent",
                        "/nodes", "31415",
                        "/jobs", "skep jobs create",
                        "/servers", "Describe one here",
                        "/sync", "HUB_URLS",
                        "/alerts", "Nothing is wrong");
        open(page, "/overview");
        assertThat(page.locator(".needs h2")).hasText("Nothing needs you");
        words.forEach(
                (path, text) -> {
                    page.locator("nav.main a[href='" + path + "']").click();
                    assertThat(page.locator(".empty").first()).containsText(text);
                });
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
        Page page = open(page(), "/hosts/01NOTHING");
        assertThat(page.locator(".empty")).containsText("there is no host 01NOTHING");
    }
}
