package dev.skep.browser.real;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import dev.skep.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A secret that is typed on a page is at its host, and was nowhere on the way. */
@Order(1)
class SettingASecretTest extends RealChromium {
    private static final String VALUE = "correct-horse-battery-3";
    private static final String LATER = "another-horse-entirely-4";

    @Test
    void a_secret_is_sealed_in_the_browser_set_anew_and_removed() {
        Page page = open("/settings");
        List<String> sent = new CopyOnWriteArrayList<>();
        page.onRequest(request -> sent.add(body(request)));
        Locator secrets =
                page.locator("section.part", new Page.LocatorOptions().setHasText("Secrets"))
                        .last();
        button(page, "Set a secret").click();
        fill(page, "Name, as DEPLOY_TOKEN", "PAGE_TOKEN");
        fill(page, "Value", "short");
        page.locator("dialog").getByLabel("left").check();
        submit(page);
        assertThat(page.locator("dialog .problem")).containsText("at least 6 characters");
        fill(page, "Value", VALUE);
        submit(page);
        assertThat(page.locator("dialog")).containsText("Sealed for left.");
        button(page, "Close").click();
        hasOnly(VALUE);

        page.reload();
        assertThat(row(page, "PAGE_TOKEN")).containsText("1 of 1 have it");
        in(row(page, "PAGE_TOKEN"), "Set anew").click();
        fill(page, "Value", LATER);
        submit(page);
        assertThat(page.locator("dialog")).containsText("Sealed for left.");
        button(page, "Close").click();
        hasOnly(LATER);

        in(row(page, "PAGE_TOKEN"), "Remove").click();
        page.locator("dialog input[name=confirm]").fill("PAGE_TOKEN");
        submit(page);
        assertThat(secrets).not().containsText("PAGE_TOKEN");
        Eventually.holds("the host forgot it", () -> !kept().contains(LATER));
        Assertions.assertThat(sent)
                .anyMatch(body -> body.contains("sealed"))
                .noneMatch(body -> body.contains(VALUE) || body.contains(LATER));
    }

    private static String body(Request request) {
        String body = request.postData();
        return body == null ? request.url() : request.url() + " " + body;
    }

    private void hasOnly(String value) {
        Eventually.holds("the host has it", () -> kept().contains(value));
    }

    private String kept() {
        try {
            Path file = fleet.dataDir("left").resolve("agent-secrets");
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
