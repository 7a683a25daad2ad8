package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.batch.CallBatcher;
import dev.skep.dispatch.queue.TurnResult;
import dev.skep.kernel.lifecycle.Component;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Turns in groups, several at a time where something else works while one of them waits. Each host
 * has its lane, so that its simultaneous reports and requests are not spread over two groups.
 * Thread-safe.
 */
public final class ShardedBatcher implements Component {
    private static final int GROUP = 256;

    private final List<CallBatcher<TurnRequest, TurnResult>> lanes;

    public ShardedBatcher(int count, Function<List<TurnRequest>, List<TurnResult>> taking) {
        this.lanes =
                IntStream.range(0, count)
                        .mapToObj(i -> new CallBatcher<>("job-turns-" + i, GROUP, taking))
                        .toList();
    }

    @Override
    public void start() {
        lanes.forEach(CallBatcher::start);
    }

    /**
     * Waits for the answer.
     *
     * @param onUndelivered gets it if the caller was interrupted; must not block
     */
    public TurnResult call(TurnRequest turn, Consumer<TurnResult> onUndelivered) {
        return lanes.get(Math.floorMod(turn.host().id().hashCode(), lanes.size()))
                .call(turn, onUndelivered);
    }

    @Override
    public void close() {
        lanes.forEach(CallBatcher::close);
    }
}
