package dev.skep.dispatch.batch;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Answers calls in groups: while one group is under way, the next gathers. The more callers wait,
 * the larger the groups, so what a group costs once (a commit, a round trip) is shared by all of
 * them. The queue is bounded; whoever finds it full waits. Thread-safe.
 *
 * @param <Q> a call
 * @param <R> its answer
 */
public final class GroupedCalls<Q, R> implements Component {
    private record Call<Q, R>(Q question, CompletableFuture<R> answer) {}

    private final String name;
    private final int largest;
    private final Function<List<Q>, List<R>> answers;
    private final BlockingQueue<Call<Q, R>> waiting;
    private volatile boolean closed;
    private Thread worker = Thread.ofVirtual().unstarted(() -> {});

    /**
     * Begins to answer once started.
     *
     * @param answers answers a group, in its order; if it throws, the group is taken apart and each
     *     call is tried alone
     */
    public GroupedCalls(String name, int largest, Function<List<Q>, List<R>> answers) {
        this.name = name;
        this.largest = largest;
        this.answers = answers;
        this.waiting = new ArrayBlockingQueue<>(largest * 4);
    }

    @Override
    public void start() {
        worker = Thread.ofVirtual().name(name).start(this::work);
    }

    /** Waits for the answer; what the group threw, the caller gets. */
    public R call(Q question) {
        Call<Q, R> call = new Call<>(question, new CompletableFuture<>());
        try {
            while (!waiting.offer(call, 100, TimeUnit.MILLISECONDS)) {
                refuseIfClosed();
            }
            refuseIfClosed();
            return call.answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while waiting for " + name, e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new SkepException(ErrorCode.CLOSED, name + " is closed");
        }
    }

    private void work() {
        List<Call<Q, R>> group = new ArrayList<>(largest);
        try {
            while (!closed) {
                group.add(waiting.take());
                waiting.drainTo(group, largest - 1);
                answer(group);
                group.clear();
            }
        } catch (InterruptedException e) {
            // closing
        }
        waiting.drainTo(group);
        SkepException late = new SkepException(ErrorCode.CLOSED, name + " is closed");
        group.forEach(call -> call.answer.completeExceptionally(late));
    }

    private void answer(List<Call<Q, R>> group) {
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
        closed = true;
        worker.interrupt();
    }
}
