package dev.skep.dispatch.batch;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls in groups: while one group is under way, the next gathers. The more callers wait,
 * the larger the groups, so what a group costs once (a commit, a round trip) is shared by all of
 * them. The queue is bounded; whoever finds it full waits. Thread-safe.
 *
 * @param <Q> a call
 * @param <R> its answer
 */
public final class Batcher<Q, R> implements Component {
    /** Who does not call within this after another is not about to. */
    private static final Duration MOMENT = Duration.ofNanos(50_000);

    private record Call<Q, R>(Q question, CompletableFuture<R> answer) {}

    private final String name;
    private final int largest;
    private final Function<List<Q>, List<R>> answers;
    private final Duration apart;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition called = lock.newCondition();
    private final Condition room = lock.newCondition();

    /** Guarded by the lock, as is how many of them the worker waits for. */
    private final Deque<Call<Q, R>> waiting = new ArrayDeque<>();

    private int wanted = 1;
    private @Nullable Thread worker;
    private volatile boolean closed;

    /**
     * Begins to answer once started.
     *
     * @param answers answers a group, in its order; if it throws, the group is taken apart and each
     *     call is tried alone
     */
    public Batcher(String name, int largest, Function<List<Q>, List<R>> answers) {
        this(name, largest, Duration.ZERO, answers);
    }

    /**
     * The same for calls that come steadily and can wait.
     *
     * @param apart how long after one group the next begins at the earliest, unless it is full
     */
    public Batcher(String name, int largest, Duration apart, Function<List<Q>, List<R>> answers) {
        this.name = name;
        this.largest = largest;
        this.apart = apart;
        this.answers = answers;
    }

    @Override
    public void start() {
        worker = Thread.ofVirtual().name(name).start(this::work);
    }

    /** Waits for the answer; what the group threw, the caller gets. */
    public R call(Q question) {
        return call(question, answer -> {});
    }

    /**
     * The same.
     *
     * @param unheard gets the answer if the caller was interrupted and is not there to hear it;
     *     must not block
     */
    public R call(Q question, Consumer<R> unheard) {
        Call<Q, R> call = new Call<>(question, new CompletableFuture<>());
        try {
            enqueue(call);
            return ConcurrentTask.outcome(call.answer);
        } catch (InterruptedException e) {
            var _ = call.answer.thenAccept(unheard);
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while waiting for " + name, e);
        }
    }

    private void enqueue(Call<Q, R> call) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && waiting.size() >= largest * 4) {
                room.await();
            }
            if (closed) {
                throw closedError();
            }
            waiting.add(call);
            if (waiting.size() >= wanted) {
                called.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private SkepException closedError() {
        return new SkepException(ErrorCode.CLOSED, name + " is closed");
    }

    private void work() {
        long next = System.nanoTime();
        int before = 0;
        try {
            while (!closed) {
                if (await() < largest) {
                    TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
                }
                next = System.nanoTime() + apart.toNanos();
                List<Call<Q, R>> group = gather(before);
                answer(group);
                before = group.size();
            }
        } catch (InterruptedException e) {
            // closing
        }
        refuseAll();
    }

    /** Waits for a call and says how many there are. */
    private int await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            wanted = 1;
            while (waiting.isEmpty()) {
                called.await();
            }
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes those who wait and those who are about to call. Whom the last group answered mostly
     * calls again, and the first of them would be a group of its own while the others wait for its
     * commit. Where there was only one caller, nobody is waited for.
     */
    private List<Call<Q, R>> gather(int before) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            wanted = Math.min(before, largest);
            for (int known = 0; known < waiting.size() && waiting.size() < wanted; ) {
                known = waiting.size();
                long left = MOMENT.toNanos();
                while (left > 0 && waiting.size() < wanted) {
                    left = called.awaitNanos(left);
                }
            }
            wanted = Integer.MAX_VALUE;
            List<Call<Q, R>> group = new ArrayList<>(Math.min(waiting.size(), largest));
            while (group.size() < largest && !waiting.isEmpty()) {
                group.add(waiting.poll());
            }
            room.signalAll();
            return group;
        } finally {
            lock.unlock();
        }
    }

    private void refuseAll() {
        lock.lock();
        try {
            closed = true;
            waiting.forEach(call -> call.answer.completeExceptionally(closedError()));
            waiting.clear();
            room.signalAll();
        } finally {
            lock.unlock();
        }
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
        if (worker != null) {
            worker.interrupt();
        }
    }
}
