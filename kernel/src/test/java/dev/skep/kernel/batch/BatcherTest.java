package dev.skep.kernel.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BatcherTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final BlockingQueue<List<Integer>> batches = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> refused = new LinkedBlockingQueue<>();

    /** A batch that is taken waits for this. */
    private final CountDownLatch goOn = new CountDownLatch(1);

    private final List<Batcher<?>> open = new ArrayList<>();

    @AfterEach
    void close() {
        goOn.countDown();
        open.forEach(Batcher::close);
    }

    @Test
    void entries_that_wait_together_are_one_batch_in_their_order() throws Exception {
        Batcher<Integer> batcher = recording(10, 3, LONG);
        for (int i = 0; i < 5; i++) {
            batcher.put(i);
        }
        batcher.start();

        assertThat(batches.take()).containsExactly(0, 1, 2);
        goOn.countDown();
        assertThat(batches.take()).containsExactly(3, 4);
    }

    @Test
    void a_worker_takes_what_comes_while_it_is_at_a_batch() throws Exception {
        var first = new CompletableFuture<Integer>();
        var more = new CountDownLatch(1);
        Batcher<Integer> batcher =
                batcher(
                        new Batcher.Limits(10, 2, LONG),
                        batch -> {
                            first.complete(batch.next());
                            more.await();
                            // The third does not fit in.
                            for (Integer next = batch.next(); next != null; ) {
                                next = batch.next();
                            }
                            batches.add(List.copyOf(batch.taken()));
                        });
        batcher.start();
        batcher.put(1);
        assertThat(first.get()).isEqualTo(1);
        batcher.put(2);
        batcher.put(3);
        more.countDown();

        assertThat(batches.take()).containsExactly(1, 2);
        assertThat(batches.take()).containsExactly(3);
    }

    @Test
    void a_worker_can_wait_until_more_have_come() throws Exception {
        var waits = new CountDownLatch(1);
        Batcher<Integer> batcher =
                batcher(
                        new Batcher.Limits(10, 10, LONG),
                        batch -> {
                            waits.countDown();
                            batch.await(2, LONG);
                            batches.add(batch.all());
                        });
        batcher.start();
        batcher.put(1);
        waits.await();
        batcher.put(2);

        assertThat(batches.take()).containsExactly(1, 2);
    }

    @Test
    void a_caller_that_finds_the_queue_full_waits_for_room_or_is_turned_away() throws Exception {
        Batcher<Integer> batcher = recording(1, 1, LONG);
        batcher.put(1);
        assertThat(batcher.offer(2)).isFalse();
        Thread third = Thread.ofVirtual().start(() -> put(batcher, 3));
        batcher.start();
        goOn.countDown();

        assertThat(batches.take()).containsExactly(1);
        assertThat(batches.take()).containsExactly(3);
        third.join();
        assertThat(refused).isEmpty();
    }

    @Test
    void closing_works_on_what_was_put_before_and_refuses_what_comes_later() throws Exception {
        Batcher<Integer> batcher = recording(10, 1, LONG);
        batcher.start();
        batcher.put(1);
        assertThat(batches.take()).containsExactly(1);
        batcher.put(2);
        Thread closing = Thread.ofVirtual().start(batcher::close);
        while (batcher.offer(3)) {
            Thread.onSpinWait();
        }
        batcher.put(4);
        goOn.countDown();
        closing.join();

        assertThat(batches.take()).containsExactly(2);
        assertThat(batches).allMatch(batch -> batch.equals(List.of(3)));
        assertThat(refused).containsExactly(4);
    }

    @Test
    void closing_without_patience_interrupts_the_worker_and_refuses_what_waits() throws Exception {
        var interrupted = new CountDownLatch(1);
        Batcher<Integer> batcher =
                batcher(
                        new Batcher.Limits(10, 1, Duration.ZERO),
                        batch -> {
                            batches.add(batch.all());
                            try {
                                goOn.await();
                            } catch (InterruptedException e) {
                                interrupted.countDown();
                            }
                        });
        batcher.start();
        batcher.put(1);
        assertThat(batches.take()).containsExactly(1);
        batcher.put(2);
        batcher.close();
        interrupted.await();

        assertThat(refused.take()).isEqualTo(2);
        assertThat(batches).isEmpty();
    }

    @Test
    void a_batcher_that_never_started_refuses_what_waits() throws Exception {
        Batcher<Integer> batcher = recording(10, 1, LONG);
        batcher.put(1);
        batcher.close();

        assertThat(refused).containsExactly(1);
    }

    @Test
    void work_that_throws_ends_the_batcher_and_refuses_every_entry() throws Exception {
        var thrown = new CompletableFuture<Throwable>();
        Batcher<Integer> batcher =
                new Batcher<>(
                        "test",
                        Thread.ofPlatform()
                                .daemon()
                                .uncaughtExceptionHandler((_, failure) -> thrown.complete(failure)),
                        new Batcher.Limits(10, 1, LONG),
                        batch -> {
                            batch.all();
                            throw new IllegalStateException("no");
                        },
                        refused::add);
        open.add(batcher);
        batcher.put(1);
        batcher.put(2);
        batcher.start();

        assertThat(refused.take()).isEqualTo(1);
        assertThat(refused.take()).isEqualTo(2);
        assertThat(thrown.get()).hasMessage("no");
        batcher.put(3);
        assertThat(refused.take()).isEqualTo(3);
    }

    @Test
    void a_caller_gets_its_answer_or_what_was_thrown_instead() {
        Batcher<CompletableFuture<String>> batcher = answering("yes");
        batcher.start();
        var asked = new CompletableFuture<String>();
        assertThat(batcher.call(asked, asked)).isEqualTo("yes");

        batcher.close();
        var late = new CompletableFuture<String>();
        assertThatThrownBy(() -> batcher.call(late, late)).hasMessage("too late");
    }

    @Test
    void an_interrupted_caller_learns_that_its_call_may_be_done() throws Exception {
        Batcher<CompletableFuture<String>> batcher = answering("yes");
        var asked = new CompletableFuture<String>();
        var failure = new CompletableFuture<SkepException>();
        Thread caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        batcher.call(asked, asked);
                                    } catch (SkepException e) {
                                        failure.complete(e);
                                    }
                                });
        caller.interrupt();

        assertThat(failure.get().code()).isEqualTo(ErrorCode.CLOSED);
        assertThat(failure.get()).hasMessageContaining("may or may not be done");
    }

    @Test
    void a_worker_knows_itself() throws Exception {
        var known = new CompletableFuture<Boolean>();
        var self = new CompletableFuture<Batcher<Integer>>();
        Batcher<Integer> batcher =
                batcher(
                        new Batcher.Limits(1, 1, LONG),
                        batch -> {
                            batch.all();
                            known.complete(self.join().isWorker());
                        });
        self.complete(batcher);
        batcher.start();
        batcher.put(1);

        assertThat(known.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(batcher.isWorker()).isFalse();
    }

    /** Tells of a batch, then waits. */
    private Batcher<Integer> recording(int capacity, int largest, Duration patience) {
        return batcher(
                new Batcher.Limits(capacity, largest, patience),
                batch -> {
                    batches.add(batch.all());
                    goOn.await();
                });
    }

    private Batcher<CompletableFuture<String>> answering(String answer) {
        var batcher =
                new Batcher<CompletableFuture<String>>(
                        "test",
                        new Batcher.Limits(10, 10, LONG),
                        batch -> batch.all().forEach(asked -> asked.complete(answer)),
                        asked ->
                                asked.completeExceptionally(
                                        new SkepException(ErrorCode.CLOSED, "too late")));
        open.add(batcher);
        return batcher;
    }

    private Batcher<Integer> batcher(Batcher.Limits limits, Batcher.Work<Integer> work) {
        var batcher = new Batcher<Integer>("test", limits, work, refused::add);
        open.add(batcher);
        return batcher;
    }

    private static void put(Batcher<Integer> batcher, int entry) {
        try {
            batcher.put(entry);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
