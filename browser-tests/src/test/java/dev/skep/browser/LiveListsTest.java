package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Lists that move by themselves, and hold still when asked. */
class LiveListsTest extends InChromium {
    /** As if another tab were in front of this one, for longer than it bears. */
    private static final String HIDDEN =
            """
            hidden => {
                const soon = globalThis.soon ??= setTimeout;
                globalThis.setTimeout = (work, ms) => soon(work, Math.min(ms, 10));
                Object.defineProperty(document, 'hidden', {configurable: true, value: hidden});
                document.dispatchEvent(new Event('visibilitychange'));
            }
            """;

    private static Locator row(Page page, String text) {
        return page.locator("tbody tr", new Page.LocatorOptions().setHasText(text));
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(false));
    }

    @Test
    void counts_are_filters_and_the_address_holds_them() {
        Page page = open(page(), "/hosts");
        button(page, "degraded").click();
        assertThat(page).hasURL(Pattern.compile("/hosts\\?status=degraded$"));
        assertThat(page.locator("tbody tr .pill").first()).hasText("degraded");

        page.goBack();
        assertThat(page).hasURL(Pattern.compile("/hosts$"));
        assertThat(button(page, "48 all")).hasAttribute("aria-pressed", "true");
    }

    @Test
    void a_paused_list_says_how_much_waits_and_takes_it_up() {
        Page page = open(page(), "/hosts?q=" + fleet.hostName(1));
        assertThat(row(page, fleet.hostName(1))).containsText("online");
        page.keyboard().press("Space");
        assertThat(page.locator(".rate")).containsText("Paused");

        fleet.set(fleet.host(1), "degraded");
        assertThat(page.locator(".rate"))
                .containsText(Pattern.compile("[1-9]\\d* changes? waiting"));
        assertThat(row(page, fleet.hostName(1))).containsText("online");

        page.keyboard().press("Space");
        assertThat(row(page, fleet.hostName(1))).containsText("degraded");
        fleet.set(fleet.host(1), "online");
    }

    /** Two hosts of this place are offline, none is degraded. */
    @Test
    void an_order_holds_still_under_the_pointer() {
        Page page = open(page(), "/hosts?q=region:ams");
        Locator third = page.locator("tbody tr .name").nth(2);
        page.mouse().move(5, 5);
        assertThat(third).hasText(fleet.hostName(0));
        page.locator("tbody tr").first().hover();

        fleet.set(fleet.host(8), "degraded");
        assertThat(row(page, fleet.hostName(8))).containsText("degraded");
        assertThat(third).hasText(fleet.hostName(0));

        page.mouse().move(5, 5);
        assertThat(third).hasText(fleet.hostName(8));
        fleet.set(fleet.host(8), "online");
    }

    @Test
    void a_hidden_tab_ends_its_stream_and_goes_on_from_there_when_it_is_looked_at() {
        Page page = open(page(), "/hosts?q=" + fleet.hostName(2));
        assertThat(page.locator(".rate")).containsText("Live");
        page.evaluate(HIDDEN, true);
        assertThat(page.locator(".rate")).hasText("");
        fleet.set(fleet.host(2), "degraded");

        page.waitForRequest("**/live?*from=*", () -> page.evaluate(HIDDEN, false));
        assertThat(row(page, fleet.hostName(2))).containsText("degraded");
        assertThat(page.locator(".rate")).containsText("Live");
        fleet.set(fleet.host(2), "online");
    }

    @Test
    void a_phone_says_too_that_it_is_paused() {
        Page page = open(page("admin", ColorScheme.DARK, Screen.PHONE), "/hosts");
        assertThat(page.locator(".rate")).isHidden();
        button(page, "Pause").click();
        assertThat(page.locator(".rate")).containsText(Pattern.compile("Paused, .* waiting"));
        assertThat(button(page, "Resume")).isInViewport();
    }

    @Test
    void money_is_drawn_below_the_budget_where_there_is_one() {
        Page page = open(page(), "/costs?agent=" + fleet.agents().get(0).id());
        assertThat(page.locator("figcaption")).containsText("of $3.00 allowed");
        assertThat(page.locator(".plot line.limit")).hasCount(1);

        open(page, "/costs?agent=" + fleet.agents().get(1).id());
        assertThat(page.locator("figcaption")).not().containsText("allowed");
        assertThat(page.locator(".plot line.limit")).hasCount(0);
    }

    @Test
    void a_list_that_is_slow_shows_a_skeleton_and_not_before_anybody_waits() {
        Page page = open(page(), "/overview");
        List<Route> held = new ArrayList<>();
        page.route("**/view/hosts", held::add);
        page.evaluate(
                """
                () => {
                    const begun = performance.now();
                    new MutationObserver(() => {
                        if (document.querySelector('.skeleton')) globalThis.skeletonAfter ??= performance.now() - begun;
                    }).observe(document.body, {childList: true, subtree: true});
                    dispatchEvent(new CustomEvent('skep:go', {detail: '/hosts'}));
                }
                """);
        assertThat(page.locator(".skeleton")).isVisible();
        Assertions.assertThat(((Number) page.evaluate("skeletonAfter")).doubleValue())
                .isGreaterThanOrEqualTo(150);

        held.forEach(Route::resume);
        assertThat(page.locator("tbody tr").first()).isVisible();
        assertThat(page.locator(".skeleton")).hasCount(0);
    }

    @Test
    void what_is_typed_before_the_rows_are_there_filters_them() {
        Page page = open(page(), "/overview");
        List<Route> held = new ArrayList<>();
        page.route("**/view/hosts", held::add);
        page.keyboard().press("g");
        page.keyboard().press("h");
        assertThat(page.locator(".skeleton")).isVisible();
        page.keyboard().press("/");
        page.keyboard().type(fleet.hostName(3));

        held.forEach(Route::resume);
        onlyRowIs(page, fleet.hostName(3));
        assertThat(page.getByRole(AriaRole.SEARCHBOX)).isFocused();
    }

    @Test
    void keys_move_through_a_list_and_open_a_row() {
        Page page = open(page(), "/hosts");
        page.locator("tbody tr").first().waitFor();
        Locator selected = page.locator("tr[aria-selected=true] .name");
        page.keyboard().press("j");
        // Drawn with the next frame; innerText waits until it is there.
        String first = selected.innerText();
        page.keyboard().press("j");
        assertThat(selected).not().hasText(first);
        String name = selected.innerText();
        page.keyboard().press("Enter");
        assertThat(page.locator("h1")).containsText(name);

        page.keyboard().press("g");
        page.keyboard().press("h");
        assertThat(page.locator("h1")).hasText("Hosts");
        page.keyboard().press("/");
        page.keyboard().type(name);
        onlyRowIs(page, name);
        page.keyboard().press("Escape");

        page.keyboard().press("g");
        page.keyboard().press("m");
        assertThat(page.locator("h1")).hasText("Mail");
    }

    /** The filter follows each letter, so others may be there for a moment. */
    private static void onlyRowIs(Page page, String name) {
        Locator names = page.locator("tbody tr .name");
        assertThat(names).hasCount(1);
        assertThat(names).hasText(name);
    }

    @Test
    void the_palette_finds_a_host() {
        Page page = open(page(), "/overview");
        page.keyboard().press("Control+k");
        page.locator("dialog").getByRole(AriaRole.COMBOBOX).fill(fleet.hostName(3));
        assertThat(page.locator("dialog").getByRole(AriaRole.OPTION).first())
                .containsText(fleet.hostName(3));
        page.keyboard().press("Enter");
        assertThat(page.locator("h1")).containsText(fleet.hostName(3));
    }

    @Test
    void a_filter_without_a_match_says_how_to_go_on() {
        Page page = open(page(), "/hosts?q=zzz");
        assertThat(page.locator(".empty")).containsText("No host matches");
        button(page, "Clear the filter").click();
        assertThat(page.locator("tbody tr").first()).isVisible();
    }
}
