package dev.skep.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.id.Ids;
import dev.skep.kernel.id.UlidSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UlidsThatOnlyIncreaseTest {
    private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
    private final UlidSource source = newSource(1);

    @Test
    void ids_of_one_millisecond_increase() {
        assertIncreasing(take(10_000));
    }

    @Test
    void ids_increase_when_the_clock_steps_back() {
        List<String> ids = new ArrayList<>(take(100));
        millis.addAndGet(-3_600_000);
        ids.addAll(take(100));
        millis.addAndGet(7_200_000);
        ids.addAll(take(100));

        assertIncreasing(ids);
    }

    @Test
    void ids_increase_across_a_restart_with_an_older_clock() {
        List<String> ids = new ArrayList<>(take(100));
        millis.addAndGet(-86_400_000);
        UlidSource restarted = newSource(2);
        restarted.startAbove(ids.getLast());
        ids.add(restarted.next());
        ids.add(restarted.next());

        assertIncreasing(ids);
    }

    @Test
    void two_that_start_above_the_same_id_of_a_third_make_different_ids() {
        String ahead = source.next();
        millis.addAndGet(-3_600_000);
        UlidSource one = newSource(2);
        UlidSource two = newSource(3);
        one.startAbove(ahead);
        two.startAbove(ahead);

        assertThat(one.next()).isGreaterThan(ahead).isNotEqualTo(two.next());
    }

    @Test
    void a_stored_value_that_is_no_ulid_is_ignored() {
        source.startAbove("not-an-id");

        assertThat(Ids.isUlid(source.next())).isTrue();
    }

    @Test
    void an_id_tells_when_it_was_born() {
        assertThat(Ids.bornAt(source.next())).isEqualTo(Instant.ofEpochMilli(millis.get()));
    }

    @Test
    void threads_share_a_source_without_repeating_an_id() throws Exception {
        List<Callable<List<String>>> takers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            takers.add(() -> take(2_000));
        }
        List<String> all = new ArrayList<>();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<List<String>> taken : pool.invokeAll(takers)) {
                assertIncreasing(taken.get());
                all.addAll(taken.get());
            }
        }
        assertThat(all).hasSize(16_000).doesNotHaveDuplicates();
    }

    private UlidSource newSource(long seed) {
        return new UlidSource(() -> Instant.ofEpochMilli(millis.get()), new Random(seed));
    }

    private List<String> take(int count) {
        List<String> ids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ids.add(source.next());
        }
        return ids;
    }

    private static void assertIncreasing(List<String> ids) {
        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }
}
