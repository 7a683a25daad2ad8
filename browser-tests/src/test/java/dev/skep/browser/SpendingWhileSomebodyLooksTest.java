package dev.skep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.skep.browser.demo.DemoFleet;
import org.junit.jupiter.api.Test;

/**
 * Money that is spent while its page is open; a fleet of its own, which has more to pay after it.
 */
class SpendingWhileSomebodyLooksTest extends InChromium {
    @Override
    DemoFleet.Size size() {
        return new DemoFleet.Size(3, 3, 3, 0);
    }

    @Test
    void a_cost_is_added_as_soon_as_it_is_stored() {
        Page page = open(page(), "/costs");
        Locator sum = page.locator("figcaption b");
        String before = sum.innerText();

        fleet.spend(fleet.agents().getFirst(), 5_000_000);
        assertThat(sum).not().hasText(before);
    }
}
