package dev.skep.benchmark.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hosts and agents of a large fleet. */
final class Population {
    private static final String TIME = "2027-01-01T00:00:00.000000Z";

    private Population() {}

    static List<@Nullable Object[]> hosts(int count) {
        List<@Nullable Object[]> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rows.add(
                    new @Nullable Object[] {
                        "01BENCHHOST%015d".formatted(i),
                        "host-" + i,
                        "runner",
                        null,
                        null,
                        0L,
                        null,
                        null,
                        null,
                        TIME,
                        TIME
                    });
        }
        return rows;
    }

    static List<@Nullable Object[]> agents(int count) {
        List<@Nullable Object[]> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rows.add(
                    new @Nullable Object[] {
                        "01BENCHUSER%015d".formatted(i),
                        "agent-" + i,
                        "Agent",
                        "agent",
                        null,
                        null,
                        "{}",
                        0L,
                        null,
                        null,
                        null,
                        TIME,
                        TIME
                    });
        }
        return rows;
    }
}
