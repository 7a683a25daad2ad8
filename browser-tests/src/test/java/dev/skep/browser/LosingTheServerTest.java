package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.skep.browser.demo.DemoFleet;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees when the server goes away, and when they are not signed in. */
class LosingTheServerTest extends InChromium {
    /**
     * A server that comes back needs its old port, which must not be among those the system gives
     * to others meanwhile.
     */
    @Override
    DemoFleet.Size size() {
        return new DemoFleet.Size(9, 6, 12, QuietPort.find());
    }

    @Test
    void a_lost_connection_says_so_and_heals_by_itself(@TempDir Path second) {
        Page page = open(page(), "/hosts");
        page.locator("tbody tr").first().waitFor();
        assertThat(page.locator(".rate")).containsText("Live");
        int port = URI.create(fleet.url()).getPort();

        fleet.close();
        assertThat(page.locator(".banner")).containsText("The connection is lost");
        assertThat(page.locator(".rate")).hasText("Not live");

        fleet = new DemoFleet(second, new DemoFleet.Size(7, 3, 5, port), clock());
        assertThat(page.locator(".banner")).hasCount(0);
        assertThat(page.locator(".tally")).containsText("7 all");
    }

    @Test
    void whoever_is_not_signed_in_is_asked_and_comes_back_to_where_they_wanted() {
        Page page = stranger(ColorScheme.LIGHT);
        page.navigate(fleet.url() + "/agents?q=ada");
        assertThat(page).hasURL(Pattern.compile(".*/sign-in\\?to=.*"));
        page.getByLabel("User name").fill("maria");
        page.getByLabel("Password").fill("wrong");
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName("Sign in").setExact(true))
                .click();
        assertThat(page.locator(".problem")).hasText("user name or password is wrong");

        // The wrong one is marked, so that whoever types on replaces it.
        assertThat(page.getByLabel("Password")).isFocused();
        page.keyboard().type("honeycomb");
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile(".*/agents\\?q=ada"));
        assertThat(page.locator("h1")).hasText("Agents");
    }

    @Test
    void a_one_use_link_signs_in_and_leaves_no_secret_in_the_address() {
        Page page = stranger(ColorScheme.DARK);
        page.navigate(fleet.url() + "/sign-in#once");
        assertThat(page.locator("h1")).hasText("Overview");
        assertThat(page).not().hasURL(Pattern.compile(".*once.*"));
    }

    @Test
    void a_link_cannot_send_people_elsewhere() {
        Page page = stranger(ColorScheme.DARK);
        page.navigate(fleet.url() + "/sign-in?to=//evil.example/#once");
        assertThat(page).hasURL(Pattern.compile("^http://127\\.0\\.0\\.1:\\d+/.*"));
        assertThat(page.locator("h1")).hasText("Overview");
    }
}
