package dev.skep.models.money;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What one limit has seen: spending inside its window and what calls under way may still cost. Not
 * thread-safe.
 */
final class SpendLedger {
    private record Spent(Instant at, long micros) {}

    private final SpendLimit limit;
    private final Deque<Spent> spent = new ArrayDeque<>();
    private long inWindow;
    private long reserved;

    SpendLedger(SpendLimit limit) {
        this.limit = limit;
    }

    SpendLimit limit() {
        return limit;
    }

    void spend(Instant at, long micros) {
        if (micros > 0) {
            spent.addLast(new Spent(at, micros));
            inWindow += micros;
        }
    }

    void reserve(long micros) {
        reserved += micros;
    }

    void release(long micros) {
        reserved -= micros;
    }

    long spentAt(Instant now) {
        Instant begin = now.minus(limit.window());
        while (!spent.isEmpty() && !spent.getFirst().at().isAfter(begin)) {
            inWindow -= spent.removeFirst().micros();
        }
        return inWindow;
    }

    long leftAt(Instant now) {
        return Math.max(0, limit.amount().micros() - spentAt(now) - reserved);
    }

    /** What would be left if no call were under way. */
    long leftWithoutReserved(Instant now) {
        return Math.max(0, limit.amount().micros() - spentAt(now));
    }

    /** When so much will fit if nobody spends before; never before {@code now}. */
    Instant roomAt(long micros, Instant now) {
        long over = spentAt(now) + micros - limit.amount().micros();
        for (Spent each : spent) {
            over -= each.micros();
            if (over <= 0) {
                return each.at().plus(limit.window());
            }
        }
        return now.plus(limit.window());
    }
}
