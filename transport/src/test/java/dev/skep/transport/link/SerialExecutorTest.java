package dev.skep.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final SerialExecutor serialExecutor =
            new SerialExecutor(2, 100, failure -> done.add("failed"));

    /** The first task takes its time, so that what comes after it waits. */
    @BeforeEach
    void beginSomething() throws InterruptedException {
        serialExecutor.run(
                () -> {
                    begun.countDown();
                    try {
                        busy.await();
                        done.add("first");
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void what_came_before_the_end_is_read_and_nothing_after_it() throws InterruptedException {
        serialExecutor.submitReceived(10, () -> done.add("message"));
        serialExecutor.end(this::last);
        serialExecutor.submitReceived(10, () -> done.add("too late"));
        serialExecutor.end(() -> done.add("twice"));

        assertThat(afterwards()).containsExactly("first", "message", "last");
    }

    @Test
    void what_waits_is_dropped_when_it_is_closed() throws InterruptedException {
        serialExecutor.submitReceived(10, () -> done.add("message"));
        serialExecutor.close(this::last);

        assertThat(afterwards()).containsExactly("first", "last");
    }

    @Test
    void messages_are_refused_when_too_many_wait_or_they_are_too_long_together() {
        assertThat(serialExecutor.submitReceived(90, () -> {})).isTrue();
        assertThat(serialExecutor.submitReceived(20, () -> {})).isFalse();
        assertThat(serialExecutor.submitReceived(10, () -> {})).isTrue();
        assertThat(serialExecutor.submitReceived(0, () -> {})).isFalse();
        busy.countDown();
    }

    @Test
    void work_in_turn_waits_while_other_work_waits() throws InterruptedException {
        serialExecutor.submitInTurn(() -> done.add("second"));
        Thread third =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        serialExecutor.submitInTurn(() -> done.add("third"));
                                        done.add("not too early");
                                        serialExecutor.end(this::last);
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        while (third.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(done).isEmpty();

        assertThat(afterwards()).contains("first", "second", "third", "not too early", "last");
        assertThat(done.indexOf("not too early")).isGreaterThan(done.indexOf("first"));
    }

    @Test
    void the_end_releases_waiting_callers() throws InterruptedException {
        serialExecutor.submitInTurn(() -> done.add("second"));
        Thread third =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        serialExecutor.submitInTurn(() -> done.add("too late"));
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        while (third.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        serialExecutor.end(this::last);

        assertThat(third.join(Duration.ofSeconds(30))).isTrue();
        assertThat(afterwards()).containsExactly("first", "second", "last");
    }

    @Test
    void a_failed_task_is_reported_and_the_next_one_runs() throws InterruptedException {
        serialExecutor.run(
                () -> {
                    throw new IllegalStateException("on purpose");
                });
        serialExecutor.end(this::last);

        assertThat(afterwards()).containsExactly("first", "failed", "last");
    }

    private void last() {
        done.add("last");
        over.countDown();
    }

    private List<String> afterwards() throws InterruptedException {
        busy.countDown();
        assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
        return done;
    }
}
