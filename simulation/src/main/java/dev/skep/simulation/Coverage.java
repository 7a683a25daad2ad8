package dev.skep.simulation;

import java.util.ArrayList;
import java.util.List;

/** How often each fault happened. */
@SuppressWarnings("EnumOrdinal") // an index into counters of this run, never stored
final class Coverage {
    private final long[] counts = new long[Fault.values().length];

    void count(Fault fault) {
        counts[fault.ordinal()]++;
    }

    long of(Fault fault) {
        return counts[fault.ordinal()];
    }

    synchronized void add(Coverage other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
    }

    List<Fault> never() {
        List<Fault> never = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            if (of(fault) == 0) {
                never.add(fault);
            }
        }
        return never;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Fault fault : Fault.values()) {
            text.append(fault).append('=').append(of(fault)).append(' ');
        }
        return text.toString().strip();
    }
}
