package dev.skep.kernel.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
    private static final Duration LONG = Duration.ofDays(1);

    private final BlockingQueue<Integer> rounds = new LinkedBlockingQueue<>();
    private int number;

    @Test
    void an_exception_ends_one_round_and_not_the_task() throws Exception {
        try (PeriodicTask task = started(Duration.ofMillis(1))) {
            assertThat(next()).isEqualTo(1);
            assertThat(next()).isEqualTo(2);
            assertThat(task).isNotNull();
        }
    }

    @Test
    void a_task_that_is_woken_runs_at_once() throws Exception {
        try (PeriodicTask task = started(LONG)) {
            task.wake();
            assertThat(next()).isEqualTo(1);
            task.wake();
            assertThat(next()).isEqualTo(2);
        }
    }

    @Test
    void after_its_close_nothing_runs() throws Exception {
        PeriodicTask task = started(LONG);
        task.wake();
        assertThat(next()).isEqualTo(1);
        task.close();
        task.wake();
        assertThat(rounds).isEmpty();
        assertThat(number).isEqualTo(1);
    }

    @Test
    void a_task_with_a_last_round_runs_once_more_as_it_closes() throws Exception {
        PeriodicTask task =
                new PeriodicTask("test", LONG, () -> rounds.add(++number)).withLastRound();
        task.start();
        task.wake();
        assertThat(next()).isEqualTo(1);
        task.close();
        assertThat(rounds).containsExactly(2);
    }

    @Test
    void many_calls_during_a_round_lead_to_one_more() throws Exception {
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        PeriodicTask task =
                new PeriodicTask(
                        "test",
                        LONG,
                        () -> {
                            begun.countDown();
                            goOn.await();
                            rounds.add(++number);
                        });
        task.start();
        task.wake();
        begun.await();
        task.wake();
        task.wake();
        goOn.countDown();
        assertThat(next()).isEqualTo(1);
        assertThat(next()).isEqualTo(2);
        task.close();
        assertThat(rounds).isEmpty();
    }

    @Test
    void a_task_that_never_started_can_be_closed() {
        PeriodicTask task = new PeriodicTask("test", LONG, () -> rounds.add(++number));
        task.close();
        assertThat(rounds).isEmpty();
    }

    /** Every round fails, after it was counted. */
    private PeriodicTask started(Duration pause) {
        PeriodicTask task =
                new PeriodicTask(
                        "test",
                        pause,
                        () -> {
                            rounds.add(++number);
                            throw new IllegalStateException("round " + number);
                        });
        task.start();
        return task;
    }

    private Integer next() throws InterruptedException {
        return rounds.poll(10, TimeUnit.SECONDS);
    }
}
