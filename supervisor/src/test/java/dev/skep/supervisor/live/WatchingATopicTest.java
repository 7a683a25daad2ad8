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
    private static LiveBoard.WatchUpdate next(LiveBoard.Watch watch) throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            LiveBoard.WatchUpdate watchUpdate = watch.next(Duration.ofMillis(100));
            if (watchUpdate.lost() || !watchUpdate.deltas().isEmpty()) {
                return watchUpdate;
            }
        }
        throw new AssertionError("nothing was told");
    }

    @Test
    void a_change_tells_the_rows_that_changed_and_no_others() throws InterruptedException {
        try (TestTopic testTopic = new TestTopic()) {
            testTopic.put("1", "Walden");
            testTopic.put("2", "Emma");
            long number = testTopic.board.read("books").number();
            try (var watch = testTopic.board.watch(BOOKS, Optional.of(number))) {
                testTopic.put("2", "Persuasion");

                assertThat(next(watch).deltas())
                        .containsExactly(
                                """
                                {"topic":"books","put":[{"id":"2","title":"Persuasion"}],"drop":[]}""");
            }
        }
    }

    @Test
    void a_row_that_is_gone_is_reported_by_its_id() throws InterruptedException {
        try (TestTopic testTopic = new TestTopic()) {
            testTopic.put("1", "Walden");
            long number = testTopic.board.read("books").number();
            try (var watch = testTopic.board.watch(BOOKS, Optional.of(number))) {
                testTopic.remove("1");

                assertThat(next(watch).deltas())
                        .containsExactly("{\"topic\":\"books\",\"put\":[],\"drop\":[\"1\"]}");
            }
        }
    }

    @Test
    void what_changes_between_a_list_and_its_stream_is_not_missed() throws InterruptedException {
        try (TestTopic testTopic = new TestTopic()) {
            testTopic.put("1", "Walden");
            long number = testTopic.board.read("books").number();
            testTopic.put("2", "Emma");
            testTopic.board.read("books");

            try (var watch = testTopic.board.watch(BOOKS, Optional.of(number))) {
                assertThat(next(watch).deltas()).singleElement().asString().contains("Emma");
            }
        }
    }

    @Test
    void a_client_that_reconnects_receives_what_it_missed_in_order() throws InterruptedException {
        try (TestTopic testTopic = new TestTopic()) {
            testTopic.put("1", "Walden");
            long number = testTopic.board.read("books").number();
            for (int i = 0; i < 3; i++) {
                testTopic.put("1", "edition " + i);
                testTopic.board.read("books");
            }
            try (var watch = testTopic.board.watch(BOOKS, Optional.of(number))) {
                List<String> deltas = new ArrayList<>(next(watch).deltas());
                assertThat(deltas).hasSize(3);
                assertThat(deltas.getLast()).contains("edition 2");
            }
        }
    }

    @Test
    void a_place_that_is_out_of_reach_is_lost_once_and_then_continues()
            throws InterruptedException {
        try (TestTopic testTopic = new TestTopic()) {
            testTopic.put("1", "Walden");
            testTopic.board.read("books");
            try (var watch = testTopic.board.watch(BOOKS, Optional.of(-5L))) {
                assertThat(next(watch).lost()).isTrue();
                testTopic.put("1", "Emma");
                assertThat(next(watch).lost()).isFalse();
            }
        }
    }

    @Test
    void lists_that_are_read_for_the_first_time_are_not_loaded_twice() throws InterruptedException {
        try (TestTopic testTopic = new TestTopic()) {
            long books = testTopic.board.read("books").number();
            long maps = testTopic.board.read("maps").number();
            try (var watch =
                    testTopic.board.watch(
                            Set.of("books", "maps"), Optional.of(Math.min(books, maps)))) {
                assertThat(watch.next(Duration.ZERO).lost()).isFalse();
            }
        }
    }

    @Test
    void deltas_beyond_the_bound_are_forgotten_and_their_readers_start_anew() {
        DeltaBuffer deltaBuffer = new DeltaBuffer(100);
        for (int i = 0; i < 10; i++) {
            deltaBuffer.add("books", "x".repeat(40));
        }

        assertThat(deltaBuffer.after(3, BOOKS)).isEmpty();
        assertThat(deltaBuffer.after(8, BOOKS)).hasValueSatisfying(d -> assertThat(d).hasSize(2));
        assertThat(deltaBuffer.after(10, BOOKS)).hasValueSatisfying(d -> assertThat(d).isEmpty());
        assertThat(deltaBuffer.after(11, BOOKS)).isEmpty();
    }

    @Test
    void a_topic_without_watchers_is_not_read() throws InterruptedException {
        try (TestTopic testTopic = new TestTopic()) {
            try (var watch = testTopic.board.watch(BOOKS, Optional.empty())) {
                next(watch);
            }
            int before = testTopic.readings.get();
            testTopic.put("1", "Walden");
            try (var other = testTopic.board.watch(Set.of(), Optional.empty())) {
                other.next(Duration.ofMillis(400));
            }

            assertThat(testTopic.readings.get()).isLessThanOrEqualTo(before + 1);
        }
    }

    @Test
    void nothing_is_read_without_a_notice_of_a_change() throws InterruptedException {
        try (TestTopic testTopic = new TestTopic();
                var watch = testTopic.board.watch(BOOKS, Optional.empty())) {
            testTopic.put("1", "Walden");
            next(watch);
            int before = testTopic.readings.get();
            for (int i = 0; i < 4; i++) {
                watch.next(Duration.ofMillis(400));
            }

            // A reading may have been under way.
            assertThat(testTopic.readings.get()).isLessThanOrEqualTo(before + 1);
        }
    }

    @Test
    void rows_that_time_alone_makes_untrue_are_read_again_at_that_moment()
            throws InterruptedException {
        try (TestTopic testTopic = new TestTopic()) {
            testTopic.put("1", "Walden");
            long number = testTopic.board.read("books").number();
            try (var watch = testTopic.board.watch(BOOKS, Optional.of(number))) {
                testTopic.becomesOldIn(Duration.ofMillis(200));

                assertThat(next(watch).deltas()).singleElement().asString().contains("old");
            }
        }
    }

    @Test
    void a_topic_that_is_not_here_is_reported_by_name() {
        try (TestTopic testTopic = new TestTopic()) {
            assertThatThrownBy(() -> testTopic.board.read("films"))
                    .isInstanceOf(SkepException.class)
                    .hasMessageContaining("films")
                    .hasMessageContaining("books");
        }
    }
}
