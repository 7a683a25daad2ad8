package dev.skep.dispatch.batch;

import dev.skep.kernel.lifecycle.Component;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Groups of calls side by side: while one lane's group is at its second step, another's is at its
 * first. Calls about the same subject are always in the same lane, so that a group has all of them
 * and what it costs per subject is paid once. Thread-safe.
 *
 * @param <Q> a call
 * @param <R> its answer
 */
public final class Lanes<Q, R> implements Component {
    private final Function<Q, ?> subject;
    private final List<GroupedCalls<Q, R>> lanes;

    /** Begins to answer once started; see {@link GroupedCalls}. */
    public Lanes(
            String name,
            int count,
            int largest,
            Function<Q, ?> subject,
            Function<List<Q>, List<R>> answers) {
        this.subject = subject;
        this.lanes =
                IntStream.rangeClosed(1, count)
                        .mapToObj(
                                lane ->
                                        new GroupedCalls<>(
                                                name + "-" + lane, largest, Duration.ZERO, answers))
                        .toList();
    }

    @Override
    public void start() {
        lanes.forEach(GroupedCalls::start);
    }

    /** As {@link GroupedCalls#call(Object, Consumer)}. */
    public R call(Q question, Consumer<R> unheard) {
        int lane = Math.floorMod(subject.apply(question).hashCode(), lanes.size());
        return lanes.get(lane).call(question, unheard);
    }

    @Override
    public void close() {
        lanes.forEach(GroupedCalls::close);
    }
}
