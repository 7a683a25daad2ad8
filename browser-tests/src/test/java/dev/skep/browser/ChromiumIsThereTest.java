package dev.skep.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** Where there is no Chromium this one test is skipped and says how to get it. */
class ChromiumIsThereTest {
    @Test
    void a_chromium_is_installed() {
        boolean required = Boolean.getBoolean("skep.browser.required");
        assumeTrue(required || BorrowedBrowser.isThere(), Chromium.HOW_TO_INSTALL);

        assertThat(Chromium.find()).as(Chromium.HOW_TO_INSTALL).isPresent();
    }
}
