package dev.skep.sync.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.sync.SyncLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pages as large as a link carries in about a second. */
class PageSizerTest {
    private static final long MOST = 2 << 20;

    private final PageSizer pageSizer = new PageSizer(MOST);

    /** The sizes of full pages over a line of so many bytes in a second. */
    private List<Long> over(long bytesPerSecond, int pages) {
        List<Long> sizes = new ArrayList<>();
        for (int i = 0; i < pages; i++) {
            sizes.add(pageSizer.bytes());
            pageSizer.carried(Duration.ofMillis(5 + pageSizer.bytes() * 1_000 / bytesPerSecond));
        }
        return sizes;
    }

    @Test
    void a_fast_link_has_the_largest_pages_after_two() {
        assertThat(over(100 << 20, 4)).containsExactly(64L << 10, 512L << 10, MOST, MOST);
    }

    @Test
    void a_slow_link_has_pages_of_about_a_second_after_its_first() {
        List<Long> sizes = over(8_000, 5);
        assertThat(sizes.getFirst()).isEqualTo(64 << 10);
        assertThat(sizes.subList(1, 5)).allMatch(size -> size > 6_000 && size < 10_000);
    }

    @Test
    void a_link_that_becomes_slow_has_small_pages_after_one_and_grows_again_with_it() {
        over(100 << 20, 3);
        assertThat(over(16_000, 3).getLast()).isBetween(12_000L, 20_000L);
        assertThat(over(100 << 20, 5).getLast()).isEqualTo(MOST);
    }

    @Test
    void a_page_is_never_too_small_to_be_worth_a_question() {
        pageSizer.carried(Duration.ofHours(1));
        assertThat(pageSizer.bytes()).isEqualTo(PageSizer.LEAST);
    }

    @Test
    void a_page_that_took_about_a_second_changes_nothing() {
        pageSizer.carried(Duration.ofMillis(850));
        pageSizer.carried(Duration.ofMillis(1_200));
        assertThat(pageSizer.bytes()).isEqualTo(PageSizer.FIRST);
    }

    @Test
    void a_clock_that_was_set_back_does_no_harm() {
        pageSizer.carried(Duration.ofDays(-3));
        assertThat(pageSizer.bytes()).isEqualTo(8 * PageSizer.FIRST);
    }

    @Test
    void each_way_learns_from_its_own_full_pages_only() {
        LinkPageSizers linkPageSizers = new LinkPageSizers(SyncLimits.DEFAULT);
        Instant now = Instant.EPOCH;
        linkPageSizers.sent(now, false);
        linkPageSizers.answered(now.plusSeconds(8), false);
        assertThat(linkPageSizers.fromHost()).isEqualTo(PageSizer.FIRST);
        assertThat(linkPageSizers.toHost().bytes()).isEqualTo(PageSizer.FIRST);

        linkPageSizers.sent(now, false);
        linkPageSizers.answered(now.plusSeconds(8), true);
        assertThat(linkPageSizers.fromHost()).isEqualTo(PageSizer.FIRST / 8);
        assertThat(linkPageSizers.toHost().bytes()).isEqualTo(PageSizer.FIRST);

        linkPageSizers.sent(now, true);
        linkPageSizers.answered(now.plusSeconds(4), false);
        assertThat(linkPageSizers.fromHost()).isEqualTo(PageSizer.FIRST / 8);
        assertThat(linkPageSizers.toHost().bytes()).isEqualTo(PageSizer.FIRST / 4);
    }
}
