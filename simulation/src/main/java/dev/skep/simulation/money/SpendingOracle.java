package dev.skep.simulation.money;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Knows the true time and what the providers charged. */
final class SpendingOracle {
    private record Charge(long at, long micros) {}

    private final long window;
    private final Map<String, Long> limits = new HashMap<>();
    private final Map<String, Deque<Charge>> charges = new HashMap<>();
    private final Map<String, Long> sums = new HashMap<>();
    private @Nullable String broken;

    SpendingOracle(long window) {
        this.window = window;
    }

    void limit(String budget, long micros) {
        limits.put(budget, micros);
        charges.put(budget, new ArrayDeque<>());
        sums.put(budget, 0L);
    }

    void charge(String budget, String host, long at, long micros) {
        Deque<Charge> within = charges.getOrDefault(budget, new ArrayDeque<>());
        within.addLast(new Charge(at, micros));
        long sum = sums.getOrDefault(budget, 0L) + micros;
        while (within.getFirst().at() <= at - window) {
            sum -= within.removeFirst().micros();
        }
        sums.put(budget, sum);
        long limit = limits.getOrDefault(budget, 0L);
        if (sum > limit && broken == null) {
            broken =
                    "%d of %d spent of %s at %d, the last by %s"
                            .formatted(sum, limit, budget, at, host);
        }
    }

    void violated(String how) {
        if (broken == null) {
            broken = how;
        }
    }

    @Nullable String broken() {
        return broken;
    }
}
