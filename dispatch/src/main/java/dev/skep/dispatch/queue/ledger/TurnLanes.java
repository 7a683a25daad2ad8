package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.batch.GroupedCalls;
import dev.skep.dispatch.queue.Turn;
import dev.skep.kernel.lifecycle.Component;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Turns in groups, several at a time where something else works while one of them waits. Each host
 * has its lane, so that what it says and asks for at one time is not spread over two groups.
 * Thread-safe.
 */
public final class TurnLanes implements Component {
    private static final int GROUP = 256;

    private final List<GroupedCalls<HostTurn, Turn>> lanes;

    public TurnLanes(int count, Function<List<HostTurn>, List<Turn>> taking) {
        this.lanes =
                IntStream.range(0, count)
                        .mapToObj(i -> new GroupedCalls<>("job-turns-" + i, GROUP, taking))
                        .toList();
    }

    @Override
    public void start() {
        lanes.forEach(GroupedCalls::start);
    }

    /**
     * Waits for the answer.
     *
     * @param unheard gets it if the caller was interrupted; must not block
     */
    public Turn call(HostTurn turn, Consumer<Turn> unheard) {
        return lanes.get(Math.floorMod(turn.host().id().hashCode(), lanes.size()))
                .call(turn, unheard);
    }

    @Override
    public void close() {
        lanes.forEach(GroupedCalls::close);
    }
}
