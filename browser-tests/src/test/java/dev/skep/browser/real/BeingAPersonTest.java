package dev.skep.browser.real;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.skep.directory.secret.Totp;
import java.time.Instant;
import java.time.InstantSource;
import java.util.regex.Pattern;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The page about oneself, on a hub that runs: password, second factor, sign-ins. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BeingAPersonTest extends RealChromium {
    private static final String PASSWORD = "correct horse battery";
    private static final Pattern KEY = Pattern.compile("[A-Z2-7 ]{30,}");

    @Test
    @Order(1)
    void somebody_sets_a_password_and_a_second_factor_and_signs_in_with_both() {
        Page page = added("nora");
        assertThat(page.locator("nav.main .foot")).containsText("nora");
        assertThat(page.locator("nav.main .foot")).containsText("viewer");
        page.navigate(fleet.hub.url() + "/me");
        button(page, "Set a password").click();
        fill(page, "New password", PASSWORD);
        submit(page);
        assertThat(page.locator("main")).containsText("You sign in with a password.");

        button(page, "Set up").click();
        fill(page, "Password", PASSWORD);
        submit(page);
        Locator key = page.locator("dialog .key");
        assertThat(key).hasText(KEY);
        String secret = key.innerText().replace(" ", "");
        fill(page, "Code", code(secret, 0));
        submit(page);
        Locator codes = page.locator("dialog pre");
        assertThat(codes).hasText(Pattern.compile("([0-9A-Z-]{19}\\s*){10}"));
        String recovery = codes.innerText().lines().findFirst().orElseThrow();
        button(page, "Close").click();
        assertThat(page.locator("main")).containsText("10 of 10 recovery codes are left");

        button(page, "Sign out").click();
        assertThat(page).hasURL(Pattern.compile(".*/sign-in"));
        type(page, "User name", "nora");
        type(page, "Password", PASSWORD);
        button(page, "Sign in").click();
        type(page, "Code", code(secret, 30));
        button(page, "Sign in").click();
        assertThat(page.locator("nav.main .foot")).containsText("nora");

        Page another = stranger();
        another.navigate(fleet.hub.url() + "/sign-in");
        type(another, "User name", "nora");
        type(another, "Password", PASSWORD);
        button(another, "Sign in").click();
        type(another, "Code", recovery);
        button(another, "Sign in").click();
        assertThat(another.locator("nav.main .foot")).containsText("nora");

        page.navigate(fleet.hub.url() + "/me");
        Locator signIns = page.getByLabel("Sign-ins").locator("tbody tr");
        assertThat(signIns).hasCount(2);
        Locator theOther = signIns.filter(new Locator.FilterOptions().setHasNotText("this one"));
        assertThat(theOther).containsText("Chrome on Linux");
        in(theOther, "End").click();
        assertThat(signIns).hasCount(1);
        another.reload();
        assertThat(another).hasURL(Pattern.compile(".*/sign-in.*"));
    }

    @Test
    @Order(2)
    void an_admin_sees_them_and_takes_the_second_factor_away() {
        Page page = open("/settings");
        row(page, "nora").getByText("nora").click();
        assertThat(page.locator("main")).containsText("Second factor");
        in(
                        page.locator("section.part")
                                .filter(new Locator.FilterOptions().setHasText("Second factor")),
                        "Remove")
                .click();
        page.locator("dialog [name=confirm]").fill("nora");
        submit(page);
        assertThat(page.locator("main")).containsText("Off.");
        in(page.getByLabel("Sign-ins"), "End").click();
        assertThat(page.locator("main")).containsText("Nowhere.");
    }

    /** On the sign-in page, which has no dialog. */
    private static void type(Page page, String label, String text) {
        page.getByLabel(label, new Page.GetByLabelOptions().setExact(true)).fill(text);
    }

    private Page added(String name) {
        Page page = open("/settings");
        button(page, "Add an operator").click();
        fill(page, "User name", name);
        submit(page);
        String link = page.locator("dialog pre").innerText();
        button(page, "Close").click();
        Page theirs = stranger();
        theirs.navigate(link);
        theirs.locator("nav.main").waitFor();
        return theirs;
    }

    /** Of now, or of the next half minute, since each works once. */
    private static String code(String secret, int later) {
        Instant now = InstantSource.system().instant();
        return Totp.codeAt(secret, now.plusSeconds(later));
    }
}
