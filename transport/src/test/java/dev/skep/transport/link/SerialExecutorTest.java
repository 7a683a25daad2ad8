package dev.skep.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

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
        serialExecutor.submitReceived(10, () -> done.add("letter"));
        serialExecutor.end(this::last);
        serialExecutor.submitReceived(10, () -> done.add("too late"));
        serialExecutor.end(() -> done.add("twice"));

        assertThat(afterwards()).containsExactly("first", "letter", "last");
    }

    @Test
    void what_waits_is_dropped_when_it_is_closed() throws InterruptedException {
        serialExecutor.submitReceived(10, () -> done.add("letter"));
        serialExecutor.close(this::last);

        assertThat(afterwards()).containsExactly("first", "last");
    }

    @Test
    void letters_are_refused_when_too_many_wait_or_they_are_too_long_together() {
        assertThat(serialExecutor.submitReceived(90, () -> {})).isTrue();
        assertThat(serialExecutor.submitReceived(20, () -> {})).isFalse();
        assertThat(serialExecutor.submitReceived(10, () -> {})).isTrue();
        assertThat(serialExecutor.submitReceived(0, () -> {})).isFalse();
        busy.countDown();
    }

    @Test
    void a_task_that_fails_is_told_and_the_next_one_runs() throws InterruptedException {
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
