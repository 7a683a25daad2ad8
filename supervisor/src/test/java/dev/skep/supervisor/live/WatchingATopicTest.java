package dev.skep.supervisor.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.SkepException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WatchingATopicTest {
    private static final Set<String> BOOKS = Set.of("books");

    /** The next news that say something. */
    private static LiveBoard.News heard(LiveBoard.Watch watch) throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            LiveBoard.News news = watch.next(Duration.ofMillis(100));
            if (news.lost() || !news.deltas().isEmpty()) {
                return news;
            }
        }
        throw new AssertionError("nothing was told");
    }

    @Test
    void a_change_tells_the_rows_that_changed_and_no_others() throws InterruptedException {
        try (Shelf shelf = new Shelf()) {
            shelf.put("1", "Walden");
            shelf.put("2", "Emma");
            long number = shelf.board.read("books").number();
            try (var watch = shelf.board.watch(BOOKS, Optional.of(number))) {
                shelf.put("2", "Persuasion");

                assertThat(heard(watch).deltas())
                        .containsExactly(
                                """
                                {"topic":"books","put":[{"id":"2","title":"Persuasion"}],"drop":[]}""");
            }
        }
    }

    @Test
    void a_row_that_is_gone_is_told_by_its_id() throws InterruptedException {
        try (Shelf shelf = new Shelf()) {
            shelf.put("1", "Walden");
            long number = shelf.board.read("books").number();
            try (var watch = shelf.board.watch(BOOKS, Optional.of(number))) {
                shelf.remove("1");

                assertThat(heard(watch).deltas())
                        .containsExactly("{\"topic\":\"books\",\"put\":[],\"drop\":[\"1\"]}");
            }
        }
    }

    @Test
    void what_changes_between_a_list_and_its_stream_is_not_missed() throws InterruptedException {
        try (Shelf shelf = new Shelf()) {
            shelf.put("1", "Walden");
            long number = shelf.board.read("books").number();
            shelf.put("2", "Emma");
            shelf.board.read("books");

            try (var watch = shelf.board.watch(BOOKS, Optional.of(number))) {
                assertThat(heard(watch).deltas()).singleElement().asString().contains("Emma");
            }
        }
    }

    @Test
    void whoever_comes_back_hears_what_was_missed_in_order() throws InterruptedException {
        try (Shelf shelf = new Shelf()) {
            shelf.put("1", "Walden");
            long number = shelf.board.read("books").number();
            for (int i = 0; i < 3; i++) {
                shelf.put("1", "edition " + i);
                shelf.board.read("books");
            }
            try (var watch = shelf.board.watch(BOOKS, Optional.of(number))) {
                List<String> heard = new ArrayList<>(heard(watch).deltas());
                assertThat(heard).hasSize(3);
                assertThat(heard.getLast()).contains("edition 2");
            }
        }
    }

    @Test
    void a_place_that_is_out_of_reach_is_lost_once_and_then_goes_on() throws InterruptedException {
        try (Shelf shelf = new Shelf()) {
            shelf.put("1", "Walden");
            shelf.board.read("books");
            try (var watch = shelf.board.watch(BOOKS, Optional.of(-5L))) {
                assertThat(heard(watch).lost()).isTrue();
                shelf.put("1", "Emma");
                assertThat(heard(watch).lost()).isFalse();
            }
        }
    }

    @Test
    void lists_that_are_read_for_the_first_time_are_not_loaded_twice() throws InterruptedException {
        try (Shelf shelf = new Shelf()) {
            long books = shelf.board.read("books").number();
            long maps = shelf.board.read("maps").number();
            try (var watch =
                    shelf.board.watch(
                            Set.of("books", "maps"), Optional.of(Math.min(books, maps)))) {
                assertThat(watch.next(Duration.ZERO).lost()).isFalse();
            }
        }
    }

    @Test
    void deltas_beyond_the_bound_are_forgotten_and_their_readers_start_anew() {
        DeltaRing ring = new DeltaRing(100);
        for (int i = 0; i < 10; i++) {
            ring.add("books", "x".repeat(40));
        }

        assertThat(ring.after(3, BOOKS)).isEmpty();
        assertThat(ring.after(8, BOOKS)).hasValueSatisfying(d -> assertThat(d).hasSize(2));
        assertThat(ring.after(10, BOOKS)).hasValueSatisfying(d -> assertThat(d).isEmpty());
        assertThat(ring.after(11, BOOKS)).isEmpty();
    }

    @Test
    void a_topic_that_nobody_watches_is_not_read() throws InterruptedException {
        try (Shelf shelf = new Shelf()) {
            try (var watch = shelf.board.watch(BOOKS, Optional.empty())) {
                heard(watch);
            }
            int before = shelf.readings.get();
            shelf.put("1", "Walden");
            try (var other = shelf.board.watch(Set.of(), Optional.empty())) {
                other.next(Duration.ofMillis(400));
            }

            assertThat(shelf.readings.get()).isLessThanOrEqualTo(before + 1);
        }
    }

    @Test
    void nothing_is_read_while_nobody_tells_of_a_change() throws InterruptedException {
        try (Shelf shelf = new Shelf();
                var watch = shelf.board.watch(BOOKS, Optional.empty())) {
            shelf.put("1", "Walden");
            heard(watch);
            int before = shelf.readings.get();
            for (int i = 0; i < 4; i++) {
                watch.next(Duration.ofMillis(400));
            }

            // A reading may have been under way.
            assertThat(shelf.readings.get()).isLessThanOrEqualTo(before + 1);
        }
    }

    @Test
    void rows_that_time_alone_makes_untrue_are_read_again_at_that_moment()
            throws InterruptedException {
        try (Shelf shelf = new Shelf()) {
            shelf.put("1", "Walden");
            long number = shelf.board.read("books").number();
            try (var watch = shelf.board.watch(BOOKS, Optional.of(number))) {
                shelf.becomesOldIn(Duration.ofMillis(200));

                assertThat(heard(watch).deltas()).singleElement().asString().contains("old");
            }
        }
    }

    @Test
    void a_topic_that_is_not_here_is_told_by_name() {
        try (Shelf shelf = new Shelf()) {
            assertThatThrownBy(() -> shelf.board.read("films"))
                    .isInstanceOf(SkepException.class)
                    .hasMessageContaining("films")
                    .hasMessageContaining("books");
        }
    }
}
