package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SelectOption;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Filters, orders and choices: what they leave, and that the address holds them. */
class NarrowingTest extends InChromium {
    /** Beside the table of budgets. */
    private static final String COSTS = "table[aria-label^='Costs by']";

    /** Where each list says which host a row is of. */
    private static final Map<String, String> HOST_OF_A_ROW =
            Map.of(
                    "/agents", "tbody tr td:nth-child(4)",
                    "/sessions", "tbody tr td:nth-child(3)",
                    "/nodes", "tbody tr td:nth-child(5)",
                    "/jobs", "tbody tr td:nth-child(4)",
                    "/servers", "tbody tr td:nth-child(3)");

    /** Those of the first host. */
    private static final Pattern ITS_AGENTS = Pattern.compile("ada|iris3");

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(false));
    }

    private void choose(Page page, String host) {
        page.getByLabel("Filter by host").selectOption(new SelectOption().setLabel(host));
        assertThat(page).hasURL(Pattern.compile(".*[?&]host=" + fleet.host(0) + ".*"));
    }

    /** The first host has agents, sessions, nodes, jobs and a server. */
    @TestFactory
    Stream<DynamicTest> a_list_that_spans_hosts_is_narrowed_to_one() {
        Page page = open(page(), "/overview");
        String host = fleet.hostName(0);
        return HOST_OF_A_ROW.entrySet().stream()
                .map(
                        list ->
                                DynamicTest.dynamicTest(
                                        list.getKey(),
                                        () -> {
                                            go(page, list.getKey());
                                            choose(page, host);
                                            Locator hosts = page.locator(list.getValue());
                                            Pattern it = Pattern.compile(host);
                                            assertThat(hosts.filter(notOf(it))).hasCount(0);
                                            assertThat(hosts.first()).hasText(host);
                                        }));
    }

    @Test
    void lines_mail_and_money_are_narrowed_to_one_host() {
        String host = fleet.hostName(0);
        Page page = open(page(), "/logs");
        page.locator(".line").first().waitFor();
        choose(page, host);
        assertThat(page.locator(".line .who").filter(notOf(ITS_AGENTS))).hasCount(0);
        assertThat(page.locator(".line .who").first()).hasText(ITS_AGENTS);

        go(page, "/mail");
        page.locator(".mails li").first().waitFor();
        choose(page, host);
        assertThat(page.locator(".mails li").filter(notOf(ITS_AGENTS))).hasCount(0);

        go(page, "/costs");
        assertThat(page.locator(COSTS + " tbody tr")).hasCount(fleet.agents().size());
        choose(page, host);
        assertThat(page.locator(COSTS + " tbody tr")).hasCount(2);
    }

    @Test
    void money_is_split_by_host_or_model_and_by_day_or_hour() {
        Page page = open(page(), "/costs");
        button(page, "by model").click();
        assertThat(page.locator(COSTS + " tbody tr")).hasCount(4);
        button(page, "48 hours").click();
        assertThat(page.locator("figcaption")).containsText("in 48 hours");
        button(page, "by host").click();
        assertThat(page.locator(COSTS + " thead th").first()).hasText("Host");
        assertThat(page).hasURL(Pattern.compile(".*/costs\\?by=host&unit=hour$"));

        page.goBack();
        assertThat(page.locator(COSTS + " thead th").first()).hasText("Model");
    }

    @Test
    void hosts_are_found_by_a_label_and_an_order_has_an_address() {
        Page page = open(page(), "/hosts?q=region:gru");
        assertThat(page.locator("tbody tr .name").first()).containsText("-gru-");
        assertThat(page.locator("tbody tr").filter(notOf(Pattern.compile("-gru-")))).hasCount(0);

        Locator name = page.locator("thead th:has-text('Host')");
        name.getByRole(AriaRole.BUTTON).click();
        assertThat(name).hasAttribute("aria-sort", "ascending");
        name.getByRole(AriaRole.BUTTON).click();
        assertThat(name).hasAttribute("aria-sort", "descending");
        assertThat(page).hasURL(Pattern.compile(".*sort=name&desc=1.*"));
        page.reload();
        assertThat(name).hasAttribute("aria-sort", "descending");
        assertThat(page.locator("tbody tr .name").first()).containsText("mail-gru-");
    }

    private static Locator.FilterOptions notOf(Pattern words) {
        return new Locator.FilterOptions().setHasNotText(words);
    }

    @Test
    void a_time_tells_itself_exactly_and_a_key_changes_the_theme() {
        Page page = open(page(), "/hosts");
        assertThat(page.locator("tbody time").first())
                .hasAttribute("title", Pattern.compile("2026-11-15 \\d\\d:\\d\\d:\\d\\d UTC"));
        Locator root = page.locator("html");
        page.keyboard().press("t");
        assertThat(root).hasAttribute("data-theme", "light");
        page.keyboard().press("t");
        assertThat(root).hasAttribute("data-theme", "dark");
    }
}
