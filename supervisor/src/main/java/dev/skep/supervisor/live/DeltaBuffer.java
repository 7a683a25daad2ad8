package dev.skep.supervisor.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The last deltas of a board, up to a number of characters. Guarded by its board. */
final class DeltaBuffer {
    private final long capacity;
    private final ArrayDeque<Delta> deltas = new ArrayDeque<>();
    private long held;
    private long last;

    DeltaBuffer(long capacity) {
        this.capacity = capacity;
    }

    /** The number of the newest delta. */
    long last() {
        return last;
    }

    /** Takes a number without a delta: a place before it cannot be gone on from. */
    long skip() {
        last++;
        return last;
    }

    void add(String topic, String json) {
        last++;
        deltas.addLast(new Delta(last, topic, json));
        held += json.length();
        while (held > capacity && deltas.size() > 1) {
            held -= deltas.removeFirst().json().length();
        }
    }

    /** The deltas of these topics after a number; empty if some of them are gone. */
    Optional<List<Delta>> after(long number, Set<String> topics) {
        long oldest = deltas.isEmpty() ? last + 1 : deltas.getFirst().number();
        if (number > last || number < oldest - 1) {
            return Optional.empty();
        }
        List<Delta> found = new ArrayList<>();
        var newestFirst = deltas.descendingIterator();
        while (newestFirst.hasNext()) {
            Delta delta = newestFirst.next();
            if (delta.number() <= number) {
                break;
            }
            if (topics.contains(delta.topic())) {
                found.add(delta);
            }
        }
        return Optional.of(found.reversed());
    }
}
