package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.skep.agents.Agent;
import dev.skep.browser.demo.DemoFleet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Whatever the server refuses is told where it was asked, and can be asked again. A page is opened
 * once and led from place to place.
 */
class RefusedTest extends InChromium {
    private static final String REASON = "not while the bees are asleep";

    private volatile boolean refusing;

    /** Only in a fleet of its own, where what is done disturbs nobody. */
    @Override
    DemoFleet.Size size() {
        return new DemoFleet.Size(24, 36, 40, 0);
    }

    private void answer(Route route) {
        boolean asks = !route.request().method().equals("GET");
        if (refusing && asks) {
            refuse(route, 409);
        } else {
            route.resume();
        }
    }

    static void refuse(Route route, int status) {
        route.fulfill(
                new Route.FulfillOptions()
                        .setStatus(status)
                        .setContentType("application/problem+json")
                        .setBody("{\"code\": \"conflict\", \"detail\": \"%s\"}".formatted(REASON)));
    }

    @TestFactory
    Stream<DynamicTest> a_refusal_is_shown_where_it_was_asked() {
        Page page = page();
        page.route("**/api/orgs/**", this::answer);
        open(page, "/overview");
        String agent = "/agents/" + fleet.agents().get(0).id();
        String job = "/jobs/" + fleet.runningJob();
        String host = "/hosts/" + fleet.host(0);
        String away = "/hosts/" + fleet.host(9);
        String stopped = "/agents/" + fleet.agents().get(8).id();
        String paused = "/agents/" + fleet.agents().get(9).id();
        Agent lost =
                fleet.agents().stream()
                        .filter(a -> a.host().value().equals(fleet.host(9)))
                        .findFirst()
                        .orElseThrow();
        return Stream.<Act>of(
                        new Pressed(
                                "approve a command",
                                "/overview",
                                "ul.needs > li:has-text('enzo asks')",
                                "Approve once"),
                        new Pressed(
                                "deny a command",
                                "/overview",
                                "ul.needs > li:has-text('ada2 asks')",
                                "Deny"),
                        new Pressed("pause an agent", agent, "header", "Pause agent"),
                        new Pressed("stop an agent", agent, "header", "Stop agent"),
                        new Pressed("start an agent", stopped, "header", "Start agent"),
                        new Pressed("resume an agent", paused, "header", "Resume agent"),
                        new Pressed(
                                "pause in a list", "/agents", "tbody tr:has-text('hana')", "Pause"),
                        new Asked(
                                "talk to an agent",
                                agent,
                                "Talk",
                                d -> fill(d, "Message", "Hello")),
                        new Pressed("cancel a job", job, "header", "Cancel"),
                        new Pressed("retry in a list", "/jobs", "tbody tr:first-child", "Retry"),
                        new Asked("create a job", "/jobs", "New job", d -> {}),
                        new Asked(
                                "create a job for a server",
                                "/jobs",
                                "New job",
                                RefusedTest::forServer),
                        new Asked(
                                "remove a server",
                                "/servers",
                                "Remove",
                                d -> confirm(d, "queue-1")),
                        new Pressed(
                                "stop a server",
                                "/servers",
                                "tbody tr:has-text('search-1')",
                                "Stop"),
                        new Pressed(
                                "restart a server",
                                "/servers",
                                "tbody tr:has-text('web-1')",
                                "Restart"),
                        new Asked(
                                "describe a server",
                                "/servers",
                                "New server",
                                RefusedTest::describe),
                        new Asked("edit a host", host, "Edit", d -> fill(d, "Name", "new-name")),
                        new Asked("rotate a key", host, "Rotate key", d -> {}),
                        new Pressed(
                                "rotate a key in a list",
                                "/settings",
                                "table[aria-label='Host keys'] tr:has-text('%s')"
                                        .formatted(fleet.hostName(1)),
                                "Rotate"),
                        new Asked(
                                "revoke a key in a list",
                                "/settings",
                                "Revoke",
                                d -> confirm(d, fleet.hostName(0))),
                        new Asked(
                                "revoke a host",
                                host,
                                "Revoke",
                                d -> confirm(d, fleet.hostName(0))),
                        new Asked(
                                "adopt agents",
                                away,
                                "Adopt agents",
                                d -> confirm(d, fleet.hostName(9))),
                        new Asked(
                                "adopt one agent",
                                "/agents/" + lost.id(),
                                "Adopt",
                                d -> confirm(d, lost.username())),
                        new Asked("write mail", "/mail", "Write mail", RefusedTest::write),
                        new Asked("make a pairing code", "/hosts", "Add a host", d -> {}),
                        new Asked(
                                "add a person",
                                "/settings",
                                "Add an operator",
                                d -> fill(d, "User name", "x")),
                        new Asked("reset a person", "/settings", "Reset", d -> {}),
                        new Chosen(
                                "give a person another role",
                                "/settings",
                                "tr:has-text('jonas')",
                                "Role of jonas",
                                "viewer"),
                        new Pressed(
                                "let a person in again",
                                "/settings",
                                "tr:has-text('wei')",
                                "Enable"),
                        new Pressed(
                                "lock a person out",
                                "/settings",
                                "tr:has-text('jonas')",
                                "Disable"),
                        new Asked("add a webhook", "/settings", "Add a webhook", RefusedTest::hook),
                        new Pressed(
                                "try a webhook",
                                "/settings",
                                "tr:has-text('team channel')",
                                "Test"),
                        new Asked(
                                "remove a webhook",
                                "/settings",
                                "Remove",
                                d -> confirm(d, "team channel")))
                .map(act -> DynamicTest.dynamicTest(act.name(), () -> check(page, act)));
    }

    /** Something a person does. */
    private sealed interface Act {
        String name();
    }

    /** By a button that acts at once: the reason stands in the same part of the page. */
    private record Pressed(String name, String path, String part, String button) implements Act {}

    /** By a button that asks first: the reason stands in the dialog, with what was typed. */
    private record Asked(String name, String path, String button, Consumer<Locator> fill)
            implements Act {}

    /**
     * By choosing something: what was refused is not shown as chosen, and the reason stands in the
     * same part of the page.
     */
    private record Chosen(String name, String path, String part, String label, String option)
            implements Act {}

    private void check(Page page, Act act) {
        switch (act) {
            case Chosen chosen -> choose(page, chosen);
            case Pressed pressed -> press(page, pressed);
            case Asked asked -> ask(page, asked);
        }
    }

    private void press(Page page, Pressed act) {
        go(page, act.path());
        Locator part = page.locator(act.part()).first();
        refusing = true;
        press(part, act.button());
        assertThat(part.locator(".problem")).containsText(REASON);
        assertThat(part.locator(".problem")).isInViewport();

        refusing = false;
        press(part, act.button());
        assertThat(page.locator(".problem")).hasCount(0);
    }

    private void choose(Page page, Chosen act) {
        go(page, act.path());
        Locator part = page.locator(act.part()).first();
        Locator choice = part.getByLabel(act.label());
        String before = choice.inputValue();
        refusing = true;
        choice.selectOption(act.option());
        assertThat(part.locator(".problem")).containsText(REASON);
        assertThat(part.locator(".problem")).isInViewport();
        assertThat(choice).hasValue(before);

        refusing = false;
        choice.selectOption(act.option());
        assertThat(page.locator(".problem")).hasCount(0);
    }

    private void ask(Page page, Asked act) {
        go(page, act.path());
        refusing = true;
        press(page.locator("main"), act.button());
        Locator dialog = page.locator("dialog");
        act.fill().accept(dialog);
        Locator submit = dialog.locator("form .acts button").last();
        submit.click();
        assertThat(dialog.locator(".problem")).hasText(REASON);
        assertThat(submit).isFocused();

        refusing = false;
        submit.click();
        assertThat(dialog.locator("form")).hasCount(0);
        page.evaluate("document.querySelector('dialog')?.close()");
    }

    private static void press(Locator part, String button) {
        part.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button))
                .first()
                .click();
    }

    private static void fill(Locator dialog, String label, String text) {
        dialog.getByLabel(label).fill(text);
    }

    private static void confirm(Locator dialog, String name) {
        dialog.locator("input[name=confirm]").fill(name);
    }

    private static void forServer(Locator dialog) {
        dialog.getByLabel("Where")
                .selectOption(
                        dialog.locator("option[value^='server:']").first().getAttribute("value"));
        dialog.getByLabel("Type").selectOption("server.restart");
    }

    private static void describe(Locator dialog) {
        fill(dialog, "Name", "cache");
        fill(dialog, "Command", "cache --port 9100");
    }

    private static void write(Locator dialog) {
        fill(dialog, "To: names, or name@host", "basil");
        fill(dialog, "Subject", "Lunch");
        fill(dialog, "Text", "At one.");
    }

    private static void hook(Locator dialog) {
        fill(dialog, "Name", "new");
        fill(dialog, "URL", "https://hooks.example/skep");
    }
}
