package dev.skep.dispatch.batch;

import dev.skep.kernel.batch.Batch;
import dev.skep.kernel.batch.Batcher;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Answers calls in groups, as a {@link Batcher} gathers them. Closing it does not wait for the
 * group that is under way. Thread-safe.
 *
 * @param <Q> a call
 * @param <R> its answer
 */
public final class CallBatcher<Q, R> implements Component {
    /** A caller that does not follow within this time is not expected. */
    private static final Duration MOMENT = Duration.ofNanos(50_000);

    private record Call<Q, R>(Q question, CompletableFuture<R> answer) {}

    private final int largest;
    private final Function<List<Q>, List<R>> answers;
    private final Duration apart;
    private final Batcher<Call<Q, R>> batcher;

    /** When the next group begins at the earliest; the worker owns it. */
    private long next = System.nanoTime();

    /** How many calls the last group had; likewise. */
    private int before;

    /**
     * Begins to answer once started.
     *
     * @param answers answers a group, in its order; if it throws, the group is taken apart and each
     *     call is tried alone
     */
    public CallBatcher(String name, int largest, Function<List<Q>, List<R>> answers) {
        this(name, largest, Duration.ZERO, answers);
    }

    /**
     * The same for calls that come steadily and can wait.
     *
     * @param apart how long after one group the next begins at the earliest, unless it is full
     */
    public CallBatcher(
            String name, int largest, Duration apart, Function<List<Q>, List<R>> answers) {
        this.largest = largest;
        this.apart = apart;
        this.answers = answers;
        this.batcher =
                new Batcher<>(
                        name,
                        new Batcher.Limits(largest * 4, largest, Duration.ZERO),
                        this::work,
                        call -> call.answer.completeExceptionally(closedError(name)));
    }

    private static SkepException closedError(String name) {
        return new SkepException(ErrorCode.CLOSED, name + " is closed");
    }

    @Override
    public void start() {
        batcher.start();
    }

    /** Waits for the answer; what the group threw, the caller gets. */
    public R call(Q question) {
        return call(question, answer -> {});
    }

    /**
     * The same.
     *
     * @param onUndelivered receives the answer if the caller was interrupted; must not block
     */
    public R call(Q question, Consumer<R> onUndelivered) {
        Call<Q, R> call = new Call<>(question, new CompletableFuture<>());
        try {
            return batcher.call(call, call.answer);
        } catch (RuntimeException | Error failure) {
            // Nothing if it is the call that failed: then there is no answer.
            var _ = call.answer.thenAccept(onUndelivered);
            throw failure;
        }
    }

    private void work(Batch<Call<Q, R>> batch) throws InterruptedException {
        if (batch.waiting() < largest) {
            TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
        }
        next = System.nanoTime() + apart.toNanos();
        gather(batch);
        answer(batch.all());
        before = batch.taken().size();
    }

    /**
     * Waits for callers that are about to call. Those that the last group answered mostly call
     * again, and the first of them would be a group of its own while the others wait for its
     * commit. After a single caller it does not wait.
     */
    private void gather(Batch<Call<Q, R>> batch) throws InterruptedException {
        int waiting = batch.waiting();
        for (int known = 0; known < waiting && waiting < before; ) {
            known = waiting;
            waiting = batch.await(before, MOMENT);
        }
    }

    private void answer(List<Call<Q, R>> group) {
        if (group.isEmpty()) {
            return;
        }
        try {
            List<R> all = answers.apply(group.stream().map(Call::question).toList());
            for (int i = 0; i < group.size(); i++) {
                group.get(i).answer.complete(all.get(i));
            }
        } catch (RuntimeException | Error failure) {
            if (group.size() == 1) {
                group.getFirst().answer.completeExceptionally(failure);
            } else {
                group.forEach(call -> answer(List.of(call)));
            }
        }
    }

    @Override
    public void close() {
        batcher.close();
    }
}
