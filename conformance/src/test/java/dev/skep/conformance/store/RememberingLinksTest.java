package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.history.LinkBook;
import dev.skep.directory.history.LinkPeriod;
import dev.skep.directory.history.LinkPeriodStore;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When hosts were connected to a hub. */
class RememberingLinksTest extends EachDatabase {
    private static final Principal.Host HOST = new Principal.Host(Fixture.ORG, Fixture.PEER);

    private @Nullable UlidSource ids;

    private LinkBook book() {
        UlidSource made = ids == null ? new UlidSource(fixture.time, new Random(3)) : ids;
        ids = made;
        var book = new LinkBook(fixture.database, made, fixture.time, () -> "http://hub");
        book.start();
        return book;
    }

    /** What is written is there once the book is closed. */
    private List<LinkPeriod> written(LinkBook book) {
        book.close();
        var who = new Principal.Local(Fixture.ORG);
        return fixture.database.read(
                db -> new LinkPeriodStore().newest(db, who, Optional.of(Fixture.PEER), 500));
    }

    @Test
    void a_link_is_told_with_its_address_its_hub_and_why_it_ended() {
        LinkBook book = book();
        Instant opened = fixture.time.instant();
        LinkBook.Entry link = book.opened(HOST, "10.0.0.7");
        fixture.time.advance(Duration.ofMinutes(5));
        link.closed("the connection broke");

        assertThat(written(book))
                .singleElement()
                .satisfies(
                        period -> {
                            assertThat(period.address()).isEqualTo("10.0.0.7");
                            assertThat(period.hub()).isEqualTo("http://hub");
                            assertThat(period.openedAt()).isEqualTo(opened);
                            assertThat(period.closedAt())
                                    .isEqualTo(opened.plus(Duration.ofMinutes(5)));
                            assertThat(period.reason()).isEqualTo("the connection broke");
                        });
    }

    @Test
    void what_a_hub_did_not_see_end_is_ended_by_the_next_link() {
        LinkBook killed = book();
        killed.opened(HOST, "10.0.0.7");
        killed.close();
        LinkBook next = book();
        next.opened(HOST, "10.0.0.8");

        List<LinkPeriod> periods = written(next);
        assertThat(periods.getFirst().closedAt()).isNull();
        assertThat(periods.getLast().reason()).contains("not seen");
    }

    @Test
    void the_file_of_a_hub_that_was_killed_claims_no_link_after_the_next_start() {
        LinkBook killed = book();
        killed.opened(HOST, "10.0.0.7");
        killed.close();

        // On a server another process may hold it.
        assertThat(written(book()).getFirst().closedAt() == null)
                .isEqualTo(kind == TestDatabase.POSTGRES);
    }

    @Test
    void of_each_host_the_newest_are_kept_and_old_ones_forgotten() {
        LinkBook book = book();
        for (int i = 0; i < 130; i++) {
            fixture.time.advance(Duration.ofSeconds(1));
            book.opened(HOST, "10.0.0." + i).closed("it went");
        }

        List<LinkPeriod> periods = written(book);
        assertThat(periods).hasSize(100);
        assertThat(periods.getFirst().address()).isEqualTo("10.0.0.129");
        assertThat(book.forget(Duration.ZERO)).isEqualTo(100);
        assertThat(written(book())).isEmpty();
    }
}
